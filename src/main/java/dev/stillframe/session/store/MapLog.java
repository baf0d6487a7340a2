package dev.stillframe.session.store;

import dev.stillframe.session.SessionId;
import dev.stillframe.session.store.SharedKeys.Intent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The protocol by which sessions live in maps. It uses nothing but atomic operations on one entry,
 * takes no locks, and whoever meets something unfinished finishes it: so nobody waits for a member
 * that died.
 *
 * <p><b>A session is a log.</b> What is appended, rewound, or written over several scopes is a
 * {@link LogRecord}, an entry of its own under the session's uid and the next sequence number. The
 * session's {@link Head} holds what the records up to a number led to. A record is
 *
 * <pre>
 *  decided       its entry was put where there was none, by one who had seen the head at the number
 *                before, and had checked what there was to check: is the id there, is it the
 *                expected version. All changes of a session that matter to that are records, so the
 *                check still holds. Nobody sees the record yet.
 *  prepared      each shared scope that it touches, app before user, has an intent that names it;
 *                the event's number can be found by its id
 *  carried out   the head was replaced by the one after the record: everybody sees it, in all
 *                scopes. This one compare-and-set is the commit
 *  settled       the shared scopes hold what it changed, and no intent
 *
 *  decided to prepared to carried out to settled; decided or prepared to dropped with its session
 * </pre>
 *
 * <p>A step may be made by anybody, several times: an append makes them all; whoever finds the next
 * number taken makes the steps for the other one and starts over; who finds an intent, reading or
 * writing, looks at the head that it belongs to, and finishes it, settles it, or, if that session
 * is gone, takes the intent away. A record is settled before the head takes the next one, and
 * before the session is deleted; so an intent whose session is gone was never carried out.
 *
 * <p><b>Why nothing happens twice.</b> A head is replaced only by the one after it, and only as it
 * was read; no two are equal. An intent is put into a scope in this order: read the scope, then see
 * that the head is still at the number before, then replace the scope as it was read. If the record
 * was carried out before the scope was read, the head shows it. If it is carried out later, the
 * scope has got the intent meanwhile and is not as it was read. So a late helper never puts an
 * intent back that was settled.
 *
 * <p><b>Nobody waits in a circle.</b> Who has an intent in an app's scope and meets another one in
 * a user's finishes that; it cannot need the app's scope, since it would have taken that first.
 *
 * <p><b>If a member dies,</b> what it left decided is finished by who next writes to the session;
 * it was not acknowledged. What it left carried out is settled by who next reads or writes the
 * scope. What it left of a session that is not there (its head is put last, and removed first) is
 * never read, as uids are not used again; it is not cleaned up.
 */
final class MapLog {
  private static final List<Scope> SHARED = List.of(Scope.APP, Scope.USER);

  private final ConcurrentMap<String, String> sessions;
  private final ConcurrentMap<String, String> shared;
  private final ConcurrentMap<String, String> events;
  private final Texts texts;

  MapLog(
      ConcurrentMap<String, String> sessions,
      ConcurrentMap<String, String> shared,
      ConcurrentMap<String, String> events,
      Texts texts) {
    this.sessions = sessions;
    this.shared = shared;
    this.events = events;
    this.texts = texts;
  }

  /** A head, and the text that it is replaced by. */
  record SeenHead(String text, Head head) {}

  /** The keys of a shared scope, and the text that they are replaced by; null: no entry. */
  record SeenKeys(String name, @Nullable String text, SharedKeys keys) {}

  private String name(SessionId id) {
    return texts.write(List.of(id.app(), id.user(), id.session()));
  }

  private static String slot(String uid, long number) {
    return uid + "/" + number;
  }

  private static String beforeName(String uid, long number, Scope scope) {
    return slot(uid, number) + "/" + scope.name();
  }

  private static String indexName(String uid, String eventId) {
    return uid + ":" + eventId;
  }

  @Nullable SeenHead head(SessionId id) {
    String text = sessions.get(name(id));
    return text == null ? null : new SeenHead(text, Head.read(text, texts));
  }

  /** Returns null if there is another session, or none. */
  @Nullable SeenHead head(SessionId id, String uid) {
    SeenHead seen = head(id);
    return seen == null || !seen.head().uid().equals(uid) ? null : seen;
  }

  /** Puts a head where there is none; returns the one that is there otherwise. */
  @Nullable Head putIfAbsent(SessionId id, Head head) {
    String text = head.write(texts);
    String other = sessions.putIfAbsent(name(id), text);
    return other == null || other.equals(text) ? null : Head.read(other, texts);
  }

  boolean replace(SessionId id, SeenHead seen, Head next) {
    return sessions.replace(name(id), seen.text(), next.write(texts));
  }

  boolean remove(SessionId id, SeenHead seen) {
    return sessions.remove(name(id), seen.text());
  }

  @Nullable LogRecord record(String uid, long number) {
    String text = events.get(slot(uid, number));
    return text == null ? null : LogRecord.read(text, texts);
  }

  /** Decides the next record; returns false if another one was first. */
  boolean decide(String uid, long number, LogRecord record) {
    String text = record.write(texts);
    String other = events.putIfAbsent(slot(uid, number), text);
    return other == null || other.equals(text); // an engine may have asked a second member
  }

  /** Returns the number under which an event was put last, or -1. */
  long numberOf(String uid, String eventId) {
    String number = events.get(indexName(uid, eventId));
    return number == null ? -1 : Long.parseLong(number);
  }

  /** Notes where an event is, unless a later one with its id was noted already. */
  void index(String uid, String eventId, long number) {
    String name = indexName(uid, eventId);
    String text = Long.toString(number);
    for (; ; ) {
      String other = events.putIfAbsent(name, text);
      if (other == null || Long.parseLong(other) >= number || events.replace(name, other, text)) {
        return;
      }
    }
  }

  /**
   * Carries out a decided record, unless that was done, and settles it.
   *
   * @return false if the session is gone
   */
  boolean carryOut(SessionId id, String uid, long number) {
    for (; ; ) {
      SeenHead seen = head(id, uid);
      if (seen == null) {
        return false;
      }
      Head head = seen.head();
      if (head.unsettled()) {
        settle(id, uid, head.sequence());
      }
      if (head.sequence() >= number) {
        return true;
      }
      LogRecord record = record(uid, number);
      if (record != null && prepare(id, uid, number, record)) {
        replace(id, seen, head.after(record)); // done or not: the next round sees what is there
      }
    }
  }

  /** Returns false if that is not what is to be done any more. */
  private boolean prepare(SessionId id, String uid, long number, LogRecord record) {
    for (Scope scope : SHARED) {
      if (record.touches(scope) && !announce(scope, id, uid, number)) {
        return false;
      }
    }
    if (record.kind() == LogRecord.Kind.EVENT) {
      index(uid, record.eventId(), number);
    }
    return true;
  }

  private boolean announce(Scope scope, SessionId id, String uid, long number) {
    Intent intent = new Intent(id, uid, number);
    for (; ; ) {
      SeenKeys seen = seenKeys(scope, id);
      Intent there = seen.keys().intent();
      if (intent.equals(there)) {
        return true;
      }
      if (there != null) {
        resolve(scope, seen, there);
        continue;
      }
      SeenHead head = head(id, uid); // after the scope was read, and before it is replaced
      if (head == null || head.head().sequence() != number - 1) {
        return false;
      }
      if (replace(seen, seen.keys().with(intent))) {
        return true;
      }
    }
  }

  private SeenKeys seenKeys(Scope scope, SessionId id) {
    String name = SharedKeys.name(scope, id, texts);
    String text = shared.get(name);
    return new SeenKeys(name, text, text == null ? SharedKeys.NONE : SharedKeys.read(text, texts));
  }

  boolean replace(SeenKeys seen, SharedKeys next) {
    String text = next.write(texts);
    return seen.text() == null
        ? shared.putIfAbsent(seen.name(), text) == null
        : shared.replace(seen.name(), seen.text(), text);
  }

  /** Does what is to be done about an intent, or finds that somebody else has done it. */
  private void resolve(Scope scope, SeenKeys seen, Intent intent) {
    SeenHead head = head(intent.id(), intent.uid());
    if (head == null) {
      replace(seen, seen.keys().with(null));
    } else if (head.head().sequence() >= intent.sequence()) {
      settle(scope, seen, intent);
    } else {
      carryOut(intent.id(), intent.uid(), intent.sequence());
    }
  }

  /** Settles a record that was carried out. */
  void settle(SessionId id, String uid, long number) {
    Intent intent = new Intent(id, uid, number);
    for (Scope scope : SHARED) {
      SeenKeys seen = seenKeys(scope, id);
      while (intent.equals(seen.keys().intent())) {
        settle(scope, seen, intent);
        seen = seenKeys(scope, id);
      }
    }
  }

  private void settle(Scope scope, SeenKeys seen, Intent intent) {
    LogRecord record = record(intent.uid(), intent.sequence());
    if (record == null) {
      return; // the session was deleted meanwhile, and so was settled
    }
    Map<String, String> keys = seen.keys().keys();
    if (record.kind() == LogRecord.Kind.EVENT) {
      Map<String, @Nullable String> before = new LinkedHashMap<>();
      record.changes(scope).keySet().forEach(key -> before.put(key, keys.get(key)));
      events.putIfAbsent(beforeName(intent.uid(), intent.sequence(), scope), texts.write(before));
    }
    replace(seen, seen.keys().settled(record.changesOn(scope, keys)));
  }

  /** Returns the keys of a shared scope, without intents. */
  SeenKeys settled(Scope scope, SessionId id) {
    for (; ; ) {
      SeenKeys seen = seenKeys(scope, id);
      Intent intent = seen.keys().intent();
      if (intent == null) {
        return seen;
      }
      resolve(scope, seen, intent);
    }
  }

  /** Returns what the shared keys held that an event changed. */
  @SuppressWarnings("unchecked") // as it was written
  Map<String, @Nullable String> before(String uid, long number) {
    Map<String, @Nullable String> before = new LinkedHashMap<>();
    for (Scope scope : SHARED) {
      String text = events.get(beforeName(uid, number, scope));
      if (text != null) {
        before.putAll((Map<String, @Nullable String>) (Map<String, ?>) texts.readMap(text));
      }
    }
    return before;
  }

  /** Copies an entry of a log, to a session that is not there yet. */
  void copy(String uid, long number, String toUid) {
    LogRecord record = record(uid, number);
    if (record == null) {
      return; // the session is being deleted, which who copies will find out
    }
    events.put(slot(toUid, number), record.write(texts));
    if (record.kind() == LogRecord.Kind.EVENT) {
      index(toUid, record.eventId(), number);
    }
    for (Scope scope : SHARED) {
      String before = events.get(beforeName(uid, number, scope));
      if (before != null) {
        events.put(beforeName(toUid, number, scope), before);
      }
    }
  }

  /** Removes what a session that is gone has left in the log. */
  void clean(String uid, long from, long to) {
    for (long number = from; number <= to; number++) {
      LogRecord record = record(uid, number);
      if (record != null && record.kind() == LogRecord.Kind.EVENT) {
        events.remove(indexName(uid, record.eventId()));
      }
      for (Scope scope : SHARED) {
        if (record != null && record.touches(scope)) {
          events.remove(beforeName(uid, number, scope));
        }
      }
      events.remove(slot(uid, number));
    }
  }

  void forEach(BiConsumer<SessionId, Head> body) {
    sessions.forEach(
        (name, text) -> {
          List<?> parts = (List<?>) texts.read(name);
          SessionId id =
              new SessionId((String) parts.get(0), (String) parts.get(1), (String) parts.get(2));
          body.accept(id, Head.read(text, texts));
        });
  }

  long count() {
    return sessions.size();
  }
}
