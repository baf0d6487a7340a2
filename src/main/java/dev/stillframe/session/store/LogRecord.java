package dev.stillframe.session.store;

import dev.stillframe.session.SessionEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a session's log: what is to be done next. It never changes, and what it leads to
 * depends on nothing but itself, the head and the shared keys that it finds.
 *
 * @param kind what it is
 * @param nonce tells two attempts apart that are the same otherwise
 * @param micros when it was made
 * @param target the event that a rewind goes back to; else 0
 * @param event what is stored of an event beside its delta; else null
 * @param changes the keys that are changed, in texts; null removes
 * @param ifStill the value that a shared key must have to be changed; keys that are not here are
 *     changed in any case
 */
record LogRecord(
    Kind kind,
    String nonce,
    long micros,
    long target,
    @Nullable Map<String, @Nullable Object> event,
    Map<String, @Nullable String> changes,
    Map<String, @Nullable String> ifStill) {

  /** What a record is. */
  enum Kind {
    CREATE,
    EVENT,
    REWIND,
    WRITE
  }

  static LogRecord create(Map<String, @Nullable String> initial, long now) {
    return new LogRecord(Kind.CREATE, newNonce(), now, 0, null, initial, Map.of());
  }

  static LogRecord event(SessionEvent event, Texts texts, long now) {
    return new LogRecord(
        Kind.EVENT,
        newNonce(),
        now,
        0,
        texts.eventMap(event),
        texts.texts(event.delta()),
        Map.of());
  }

  static LogRecord write(Map<String, @Nullable String> changes, long now) {
    return new LogRecord(Kind.WRITE, newNonce(), now, 0, null, changes, Map.of());
  }

  static LogRecord rewind(RewindPlan plan, long target, long now) {
    Map<String, @Nullable String> changes = new LinkedHashMap<>(plan.own);
    Map<String, @Nullable String> ifStill = new LinkedHashMap<>();
    plan.shared.forEach(
        (key, restore) -> {
          changes.put(key, restore.value());
          ifStill.put(key, restore.ifStill());
        });
    return new LogRecord(Kind.REWIND, newNonce(), now, target, null, changes, ifStill);
  }

  private static String newNonce() {
    return UUID.randomUUID().toString();
  }

  Map<String, @Nullable String> changes(Scope scope) {
    return Scope.only(changes, s -> s == scope);
  }

  boolean touches(Scope scope) {
    return changes.keySet().stream().anyMatch(key -> Scope.of(key) == scope);
  }

  boolean touchesShared() {
    return touches(Scope.APP) || touches(Scope.USER);
  }

  /** Returns the changes to a shared scope, given the keys that it holds. */
  Map<String, @Nullable String> changesOn(Scope scope, Map<String, String> keys) {
    Map<String, @Nullable String> due = changes(scope);
    due.keySet()
        .removeIf(
            key -> ifStill.containsKey(key) && !Objects.equals(ifStill.get(key), keys.get(key)));
    return due;
  }

  SessionEvent sessionEvent(Texts texts, long sequence) {
    return texts.event(Objects.requireNonNull(event), changes, sequence);
  }

  String eventId() {
    return Texts.text(Objects.requireNonNull(event), "id");
  }

  String write(Texts texts) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("kind", kind.name());
    map.put("nonce", nonce);
    map.put("micros", micros);
    map.put("target", target);
    map.put("event", event);
    map.put("changes", changes);
    map.put("if_still", ifStill);
    return texts.write(map);
  }

  @SuppressWarnings("unchecked") // as it was written
  static LogRecord read(String text, Texts texts) {
    Map<String, @Nullable Object> map = texts.readMap(text);
    return new LogRecord(
        Kind.valueOf(Texts.text(map, "kind")),
        Texts.text(map, "nonce"),
        Texts.number(map, "micros"),
        Texts.number(map, "target"),
        (Map<String, @Nullable Object>) map.get("event"),
        (Map<String, @Nullable String>) Objects.requireNonNull(map.get("changes")),
        (Map<String, @Nullable String>) Objects.requireNonNull(map.get("if_still")));
  }
}
