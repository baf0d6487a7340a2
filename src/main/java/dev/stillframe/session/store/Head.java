package dev.stillframe.session.store;

import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a session's entry holds: what its log up to a sequence number led to. It is replaced as a
 * whole, and no two heads of a session are equal, since each has a number of its own.
 *
 * @param uid the session: ids may be given again, this is not
 * @param revision counts the heads
 * @param sequence the last record of the log that was carried out; -1 while it is being created
 * @param unsettled whether that record changed shared keys, so that they may not be settled yet
 * @param version how often it was appended to or rewound
 * @param holes pairs of sequence numbers, first and last, in between which there are no events
 * @param events how many events it has
 * @param created when, in microseconds
 * @param changed when, in microseconds
 * @param own the session's own keys
 */
record Head(
    String uid,
    long revision,
    long sequence,
    boolean unsettled,
    long version,
    List<Long> holes,
    int events,
    long created,
    long changed,
    Map<String, String> own) {

  static Head creating(String uid, long now) {
    return new Head(uid, 0, -1, false, 0, List.of(0L, 0L), 0, now, now, Map.of());
  }

  boolean isThere() {
    return sequence >= 0;
  }

  /**
   * Tells whether the record of a sequence number is an event that was carried out and not undone.
   */
  boolean hasEvent(long number) {
    if (number > sequence) {
      return false;
    }
    for (int i = 0; i < holes.size(); i += 2) {
      if (holes.get(i) <= number && number <= holes.get(i + 1)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the sequence numbers of the events, the last one first. */
  List<Long> newestFirst() {
    List<Long> numbers = new ArrayList<>(events);
    for (long n = sequence; n > 0; n--) {
      if (hasEvent(n)) {
        numbers.add(n);
      }
    }
    return numbers;
  }

  /** Returns the sequence numbers of the events, the first one first. */
  List<Long> inOrder() {
    List<Long> numbers = newestFirst();
    Collections.reverse(numbers);
    return numbers;
  }

  /** Returns the head after the next record. */
  Head after(LogRecord record) {
    Map<String, String> keys = changed(own, record.changes(Scope.OWN));
    boolean shares = record.touchesShared();
    long next = sequence + 1;
    long later = Math.max(changed, record.micros()); // clocks of two machines differ
    return switch (record.kind()) {
      case CREATE -> new Head(uid, revision + 1, next, shares, 0, holes, 0, created, changed, keys);
      case EVENT ->
          new Head(
              uid,
              revision + 1,
              next,
              shares,
              version + 1,
              holes,
              events + 1,
              created,
              later,
              keys);
      case WRITE ->
          new Head(
              uid,
              revision + 1,
              next,
              shares,
              version,
              holesWith(next),
              events,
              created,
              changed,
              keys);
      case REWIND -> {
        List<Long> more = holesWithAllAfter(record.target(), next);
        int left = events - (int) newestFirst().stream().filter(n -> n > record.target()).count();
        yield new Head(
            uid, revision + 1, next, shares, version + 1, more, left, created, later, keys);
      }
    };
  }

  private List<Long> holesWith(long number) {
    List<Long> more = new ArrayList<>(holes);
    int last = more.size() - 1;
    if (last > 0 && more.get(last) == number - 1) {
      more.set(last, number);
    } else {
      more.add(number);
      more.add(number);
    }
    return more;
  }

  private List<Long> holesWithAllAfter(long target, long next) {
    List<Long> more = new ArrayList<>();
    for (int i = 0; i < holes.size() && holes.get(i) <= target; i += 2) {
      more.add(holes.get(i));
      more.add(holes.get(i + 1));
    }
    more.add(target + 1);
    more.add(next);
    return more;
  }

  /** Returns the first head of a session that begins as this one did. */
  Head forkedAt(String newUid, long last, int count, long now, Map<String, String> keys) {
    List<Long> before = new ArrayList<>();
    for (int i = 0; i < holes.size() && holes.get(i) <= last; i += 2) {
      before.addAll(holes.subList(i, i + 2));
    }
    return new Head(newUid, 0, last, false, 0, before, count, now, now, keys);
  }

  Head withOwn(Map<String, String> keys) {
    return new Head(
        uid, revision + 1, sequence, unsettled, version, holes, events, created, changed, keys);
  }

  static Map<String, String> changed(
      Map<String, String> keys, Map<String, @Nullable String> changes) {
    Map<String, String> changed = new LinkedHashMap<>(keys);
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            changed.remove(key);
          } else {
            changed.put(key, value);
          }
        });
    return changed;
  }

  SessionInfo info(SessionId id) {
    return new SessionInfo(id, version, events, Micros.instant(created), Micros.instant(changed));
  }

  String write(Texts texts) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("uid", uid);
    map.put("revision", revision);
    map.put("sequence", sequence);
    map.put("unsettled", unsettled);
    map.put("version", version);
    map.put("holes", holes);
    map.put("events", events);
    map.put("created", created);
    map.put("changed", changed);
    map.put("own", own);
    return texts.write(map);
  }

  @SuppressWarnings("unchecked") // as it was written
  static Head read(String text, Texts texts) {
    Map<String, @Nullable Object> map = texts.readMap(text);
    return new Head(
        Texts.text(map, "uid"),
        Texts.number(map, "revision"),
        Texts.number(map, "sequence"),
        Boolean.TRUE.equals(map.get("unsettled")),
        Texts.number(map, "version"),
        ((List<Number>) Objects.requireNonNull(map.get("holes")))
            .stream().map(Number::longValue).toList(),
        (int) Texts.number(map, "events"),
        Texts.number(map, "created"),
        Texts.number(map, "changed"),
        (Map<String, String>) Objects.requireNonNull(map.get("own")));
  }
}
