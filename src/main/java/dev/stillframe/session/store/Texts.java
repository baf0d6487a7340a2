package dev.stillframe.session.store;

import dev.stillframe.json.Json;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateSnapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values and events as texts, and back. A value's text is what is stored, and what is compared: so
 * two values are the same if JSON shows them so.
 */
final class Texts {
  private final Json json;

  Texts(Json json) {
    this.json = json;
  }

  String write(@Nullable Object value) {
    return json.write(value);
  }

  Object read(String text) {
    return Objects.requireNonNull(json.read(text), "a stored text must not be null");
  }

  @SuppressWarnings("unchecked") // what was written as a map with text keys is read as one
  Map<String, @Nullable Object> readMap(String text) {
    return (Map<String, @Nullable Object>) read(text);
  }

  /** Returns the texts of the values that a delta sets; null stands for a removal. */
  Map<String, @Nullable String> texts(StateDelta delta) {
    return texts(delta.asMap());
  }

  private Map<String, @Nullable String> texts(Map<String, @Nullable Object> values) {
    Map<String, @Nullable String> texts = new LinkedHashMap<>();
    values.forEach((key, value) -> texts.put(key, value == null ? null : write(value)));
    return texts;
  }

  StateDelta delta(Map<String, ? extends @Nullable String> texts) {
    StateDelta.Builder delta = StateDelta.builder();
    texts.forEach(
        (key, text) -> {
          if (text == null) {
            delta.remove(key);
          } else {
            delta.set(key, read(text));
          }
        });
    return delta.build();
  }

  /** Returns what a state shows that these deltas were applied to, one after the other. */
  static StateSnapshot fold(StateDelta initial, List<StateDelta> deltas) {
    SessionState state = SessionState.create();
    state.apply(initial);
    deltas.forEach(state::apply);
    return state.all();
  }

  /**
   * Returns what is stored of an event, its sequence number and its delta excepted. The values in
   * it are texts, so that each can be as deep as a value may be.
   */
  Map<String, @Nullable Object> eventMap(SessionEvent event) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("id", event.id());
    map.put("author", event.author());
    map.put("invocation_id", event.invocationId());
    map.put("instant", event.instant());
    map.put("content", event.content() == null ? null : write(event.content()));
    map.put("metadata", texts(event.metadata()));
    return map;
  }

  @SuppressWarnings("unchecked") // as eventMap wrote it
  SessionEvent event(
      Map<String, @Nullable Object> map,
      Map<String, ? extends @Nullable String> delta,
      long sequence) {
    Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
    ((Map<String, @Nullable String>) Objects.requireNonNull(map.get("metadata")))
        .forEach((name, text) -> metadata.put(name, text == null ? null : read(text)));
    SessionEvent.Builder event =
        SessionEvent.builder(text(map, "author"))
            .id(text(map, "id"))
            .instant((Instant) Objects.requireNonNull(map.get("instant")))
            .metadata(metadata);
    if (map.get("invocation_id") instanceof String invocation) {
      event.invocationId(invocation);
    }
    if (map.get("content") instanceof String content) {
      event.content(read(content));
    }
    return event.build().stored(delta(delta), sequence);
  }

  static String text(Map<String, @Nullable Object> map, String name) {
    return (String) Objects.requireNonNull(map.get(name), name);
  }

  static long number(Map<String, @Nullable Object> map, String name) {
    return ((Number) Objects.requireNonNull(map.get(name), name)).longValue();
  }
}
