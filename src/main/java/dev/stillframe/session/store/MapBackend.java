package dev.stillframe.session.store;

import dev.stillframe.session.PageRequest;
import dev.stillframe.session.SessionAlreadyExistsException;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionInfo;
import dev.stillframe.session.SessionNotFoundException;
import dev.stillframe.session.SessionPage;
import dev.stillframe.session.store.MapLog.SeenHead;
import dev.stillframe.state.StateDelta;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The sessions in maps, see {@link MapLog}. */
final class MapBackend implements SessionBackend {
  private static final Comparator<SessionInfo> NEWEST_FIRST =
      Comparator.comparing(SessionInfo::lastChanged).reversed().thenComparing(SessionInfo::id);

  private final MapLog log;
  private final Texts texts;
  private final Clock clock;

  MapBackend(MapLog log, Texts texts, Clock clock) {
    this.log = log;
    this.texts = texts;
    this.clock = clock;
  }

  private MapSession session(SessionId id, String uid) {
    return new MapSession(log, texts, clock, id, uid);
  }

  /** Returns the head of a session, once that is there: who creates it may need help. */
  private @Nullable SeenHead head(SessionId id) {
    for (; ; ) {
      SeenHead seen = log.head(id);
      if (seen == null || seen.head().isThere()) {
        return seen;
      }
      log.carryOut(id, seen.head().uid(), 0);
    }
  }

  @Override
  public @Nullable MapSession find(SessionId id) {
    SeenHead seen = head(id);
    return seen == null ? null : session(id, seen.head().uid());
  }

  private MapSession required(SessionId id) {
    MapSession session = find(id);
    if (session == null) {
      throw new SessionNotFoundException(id);
    }
    return session;
  }

  @Override
  public StoredSession create(SessionId id, StateDelta initial) {
    String uid = UUID.randomUUID().toString();
    long now = Micros.of(clock.instant());
    log.decide(uid, 0, LogRecord.create(texts.texts(initial), now));
    return put(id, Head.creating(uid, now));
  }

  /** Makes a session be there whose log is. */
  private StoredSession put(SessionId id, Head head) {
    Head other = log.putIfAbsent(id, head);
    if (other != null) {
      log.clean(head.uid(), 0, Math.max(0, head.sequence()));
      log.carryOut(id, other.uid(), 0); // so that who hears of it can find it
      throw new SessionAlreadyExistsException(id);
    }
    log.carryOut(id, head.uid(), 0);
    return session(id, head.uid());
  }

  @Override
  public SessionPage list(String app, @Nullable String user, PageRequest page) {
    SessionInfo after = page.after();
    List<SessionInfo> all = new ArrayList<>();
    log.forEach(
        (id, head) -> {
          if (head.isThere() && id.app().equals(app) && (user == null || id.user().equals(user))) {
            SessionInfo info = head.info(id);
            if (after == null || NEWEST_FIRST.compare(after, info) < 0) {
              all.add(info);
            }
          }
        });
    all.sort(NEWEST_FIRST);
    return Pages.page(all, page.size());
  }

  @Override
  public boolean delete(SessionId id) {
    for (; ; ) {
      SeenHead seen = head(id);
      if (seen == null) {
        return false;
      }
      Head head = seen.head();
      if (head.unsettled()) {
        log.settle(id, head.uid(), head.sequence());
      }
      if (log.remove(id, seen)) {
        log.clean(head.uid(), 0, head.sequence() + 1);
        return true;
      }
    }
  }

  @Override
  public StoredSession fork(SessionId id, String upToEvent, SessionId newId) {
    MapSession from = required(id);
    Head head = from.head();
    long last = from.require(head, upToEvent);
    if (head.unsettled()) {
      log.settle(id, head.uid(), head.sequence());
    }
    List<StateDelta> deltas = from.deltas(head, last);
    Map<String, Object> own =
        Scope.only(Texts.fold(from.initial(), deltas).asMap(), scope -> scope == Scope.OWN);
    Map<String, String> ownTexts = new LinkedHashMap<>();
    own.forEach((key, value) -> ownTexts.put(key, texts.write(value)));
    String uid = UUID.randomUUID().toString();
    for (long number = 0; number <= last; number++) {
      if (number == 0 || head.hasEvent(number)) {
        log.copy(head.uid(), number, uid);
      }
    }
    from.head(); // a session that was deleted meanwhile may have been copied in part
    long now = Micros.of(clock.instant());
    return put(newId, head.forkedAt(uid, last, deltas.size(), now, ownTexts));
  }

  @Override
  public int rewind(SessionId id, String toEvent) {
    return required(id).rewind(toEvent);
  }

  @Override
  public long count() {
    return log.count();
  }
}
