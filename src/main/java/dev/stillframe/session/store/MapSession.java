package dev.stillframe.session.store;

import dev.stillframe.session.AppendResult;
import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.session.EventFilter;
import dev.stillframe.session.SessionConflictException;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionEventNotFoundException;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionInfo;
import dev.stillframe.session.SessionNotFoundException;
import dev.stillframe.session.store.MapLog.SeenHead;
import dev.stillframe.session.store.MapLog.SeenKeys;
import dev.stillframe.state.StateDelta;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A session in maps, see {@link MapLog}. */
final class MapSession implements StoredSession {
  private final MapLog log;
  private final Texts texts;
  private final Clock clock;
  private final SessionId id;
  private final String uid;

  MapSession(MapLog log, Texts texts, Clock clock, SessionId id, String uid) {
    this.log = log;
    this.texts = texts;
    this.clock = clock;
    this.id = id;
    this.uid = uid;
  }

  @Override
  public SessionId id() {
    return id;
  }

  private SeenHead require() {
    SeenHead seen = log.head(id, uid);
    if (seen == null) {
      throw new SessionNotFoundException(id);
    }
    return seen;
  }

  Head head() {
    return require().head();
  }

  @Override
  public SessionInfo info() {
    return head().info(id);
  }

  /** Returns a record that was carried out. */
  private LogRecord record(long number) {
    LogRecord record = log.record(uid, number);
    if (record == null) {
      require();
      throw new IllegalStateException(
          "The map of events must keep record " + number + " of a session; it is not there: " + id);
    }
    return record;
  }

  private SessionEvent event(long number) {
    return record(number).sessionEvent(texts, number);
  }

  @Override
  public List<SessionEvent> events(EventFilter filter) {
    return events(head(), filter);
  }

  private List<SessionEvent> events(Head head, EventFilter filter) {
    List<SessionEvent> events = new ArrayList<>();
    for (long number : head.newestFirst()) {
      if (events.size() >= filter.newest()) {
        break;
      }
      SessionEvent event = event(number);
      if (filter.admits(event)) {
        events.add(event);
      }
    }
    Collections.reverse(events);
    return Collections.unmodifiableList(events);
  }

  /** All scopes, as they were read one after the other. */
  private record Scopes(SeenHead head, SeenKeys app, SeenKeys user) {
    Map<String, String> all() {
      Map<String, String> all = new LinkedHashMap<>(head.head().own());
      all.putAll(app.keys().keys());
      all.putAll(user.keys().keys());
      return all;
    }
  }

  private Scopes read() {
    return new Scopes(require(), log.settled(Scope.APP, id), log.settled(Scope.USER, id));
  }

  /** Reads twice, until nothing has changed: then it was all there in between. */
  private Scopes readAtOneInstant() {
    for (Scopes before = read(); ; ) {
      Scopes after = read();
      if (after.equals(before)) {
        return after;
      }
      before = after;
    }
  }

  @Override
  public Picture picture(EventFilter filter) {
    Scopes scopes = readAtOneInstant();
    Head head = scopes.head().head();
    return new Picture(head.info(id), scopes.all(), events(head, filter));
  }

  @Override
  public Map<String, String> readAll() {
    return readAtOneInstant().all();
  }

  @Override
  public StateDelta initial() {
    require();
    return texts.delta(record(0).changes());
  }

  /** Returns the number of an event that has to be there. */
  long require(Head head, String eventId) {
    long number = log.numberOf(uid, eventId);
    if (number < 1 || !head.hasEvent(number)) {
      require();
      throw new SessionEventNotFoundException(id, eventId);
    }
    return number;
  }

  @Override
  public List<StateDelta> deltasUpTo(String eventId) {
    Head head = head();
    return deltas(head, require(head, eventId));
  }

  List<StateDelta> deltas(Head head, long upTo) {
    List<StateDelta> deltas = new ArrayList<>();
    for (long number : head.inOrder()) {
      if (number <= upTo) {
        deltas.add(texts.delta(record(number).changes()));
      }
    }
    return deltas;
  }

  @Override
  public AppendResult append(SessionEvent event, long expectedVersion) {
    LogRecord record = LogRecord.event(event, texts, Micros.of(clock.instant()));
    for (; ; ) {
      Head head = head();
      long there = log.numberOf(uid, event.id());
      if (there > 0 && head.hasEvent(there)) {
        return new AppendResult(Outcome.DUPLICATE, event(there), head.version());
      }
      if (expectedVersion >= 0 && expectedVersion != head.version()) {
        throw new SessionConflictException(id, expectedVersion, head.version());
      }
      if (makeNext(head, record)) {
        return new AppendResult(
            Outcome.APPENDED, event.stored(event.delta(), head.sequence() + 1), head.version() + 1);
      }
    }
  }

  /**
   * Adds a record to the log after what the head shows.
   *
   * @return false if another one was first; that one is carried out then
   */
  private boolean makeNext(Head head, LogRecord record) {
    long number = head.sequence() + 1;
    boolean ours = log.decide(uid, number, record);
    if (!log.carryOut(id, uid, number)) {
      log.clean(uid, number, number);
      throw new SessionNotFoundException(id);
    }
    return ours;
  }

  int rewind(String toEvent) {
    long now = Micros.of(clock.instant());
    // What was settled does not change. It is kept from one attempt to the next, so that each reads
    // no more than was appended since, and has as good a chance as an append.
    Map<Long, RewindPlan.Change> read = new HashMap<>();
    for (; ; ) {
      Head head = head();
      long target = require(head, toEvent);
      List<Map<String, @Nullable String>> kept = new ArrayList<>();
      kept.add(change(read, 0).delta());
      List<RewindPlan.Change> undone = new ArrayList<>();
      for (long number : head.inOrder()) {
        if (number <= target) {
          kept.add(change(read, number).delta());
          continue;
        }
        if (head.unsettled() && number == head.sequence()) {
          log.settle(id, uid, number); // so that it is known what it replaced
        }
        undone.add(change(read, number));
      }
      if (undone.isEmpty()) {
        return 0;
      }
      if (makeNext(head, LogRecord.rewind(new RewindPlan(kept, undone), target, now))) {
        return undone.size();
      }
    }
  }

  private RewindPlan.Change change(Map<Long, RewindPlan.Change> read, long number) {
    return read.computeIfAbsent(
        number, n -> new RewindPlan.Change(record(n).changes(), log.before(uid, n)));
  }

  @Override
  public @Nullable String read(String key) {
    Scope scope = Scope.of(key);
    if (scope == Scope.OWN) {
      return head().own().get(key);
    }
    SeenKeys seen = log.settled(scope, id);
    require(); // afterwards: it must not look like one without keys
    return seen.keys().keys().get(key);
  }

  @Override
  public @Nullable String write(
      String key, Predicate<@Nullable String> condition, @Nullable String value) {
    Scope scope = Scope.of(key);
    Map<String, @Nullable String> change = new LinkedHashMap<>();
    change.put(key, value);
    for (; ; ) {
      SeenHead head = require();
      SeenKeys shared = scope == Scope.OWN ? null : log.settled(scope, id);
      String old = (shared == null ? head.head().own() : shared.keys().keys()).get(key);
      if (!condition.test(old) || (old == null && value == null)) {
        return old;
      }
      if (replace(head, shared, change)) {
        return old;
      }
    }
  }

  private boolean replace(
      SeenHead head, @Nullable SeenKeys shared, Map<String, @Nullable String> changes) {
    return shared == null
        ? log.replace(id, head, head.head().withOwn(Head.changed(head.head().own(), changes)))
        : log.replace(shared, shared.keys().settled(changes));
  }

  @Override
  public void apply(Map<String, @Nullable String> changes) {
    Set<Scope> scopes = changes.keySet().stream().map(Scope::of).collect(Collectors.toSet());
    if (scopes.size() == 1) {
      change(scopes.iterator().next(), keys -> changes);
      return;
    }
    LogRecord record = LogRecord.write(changes, Micros.of(clock.instant()));
    while (!makeNext(head(), record)) {
      // another one was first
    }
  }

  /** Works out changes to a scope from the keys that it holds. */
  private interface Change {
    Map<String, @Nullable String> of(Map<String, String> keys);
  }

  private void change(Scope scope, Change change) {
    for (; ; ) {
      SeenHead head = require();
      SeenKeys shared = scope == Scope.OWN ? null : log.settled(scope, id);
      Map<String, @Nullable String> changes =
          change.of(shared == null ? head.head().own() : shared.keys().keys());
      if (changes.isEmpty() || replace(head, shared, changes)) {
        return;
      }
    }
  }

  @Override
  public void clear() {
    for (Scope scope : List.of(Scope.OWN, Scope.USER, Scope.APP)) {
      change(
          scope,
          keys -> {
            Map<String, @Nullable String> removals = new LinkedHashMap<>();
            keys.keySet().forEach(key -> removals.put(key, null));
            return removals;
          });
    }
  }
}
