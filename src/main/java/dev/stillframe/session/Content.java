package dev.stillframe.session;

import dev.stillframe.state.StateDelta;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies values of callers as a state does, so that nobody can change what an event holds. */
final class Content {
  private Content() {}

  /** Copies collections and arrays, deeply; what is such a copy already is not copied again. */
  static Object copy(String name, Object value) {
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    Object copy = StateDelta.builder().set(name, value).build().asMap().get(name);
    return Objects.requireNonNull(copy, name);
  }

  /** Returns what a caller gets of a copy: itself, or another copy if it is an array. */
  static @Nullable Object toCaller(@Nullable Object copy) {
    return copy != null && copy.getClass().isArray() ? copy("content", copy) : copy;
  }

  /** Copies a map with its values; arrays in it are copied as they are read. */
  static Map<String, @Nullable Object> copyMap(
      String name, Map<String, ? extends @Nullable Object> map) {
    if (map.isEmpty()) {
      return Map.of();
    }
    map.keySet().forEach(key -> Objects.requireNonNull(key, name + " key"));
    @SuppressWarnings("unchecked") // a copy has the keys of the map
    Map<String, @Nullable Object> copy = (Map<String, @Nullable Object>) copy(name, map);
    return copy;
  }
}
