package dev.stillframe.trace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Masks what must not be kept, before it is part of any event: what is stored and published, and
 * the nodes and logs that are shown, have gone through it. A space itself shows what was put into
 * it; its events do not. It is asked on the calling thread, outside any lock, before a command is
 * accepted; what it throws reaches the caller, and nothing has changed.
 */
@FunctionalInterface
public interface Redactor {
  /** What stands in place of a masked value. */
  String MASK = "***";

  /**
   * Returns what to keep of a value. What is in a list, a set or an array has the path and the key
   * of that; all but maps and sets become lists. An object of another class is asked about as a
   * whole.
   *
   * @param path where the value is: {@code input}, {@code output}, {@code metadata}, {@code
   *     arguments} or a space's key, and then the keys of the maps on the way, with dots between
   * @param key the last key of the path
   * @param value a value, which may be a map or a collection
   * @return the value itself, or what to keep in its place
   */
  @Nullable Object redact(String path, String key, Object value);

  /**
   * Returns the redactor that keeps everything.
   *
   * @return a redactor
   */
  static Redactor none() {
    return NoRedactor.INSTANCE;
  }

  /**
   * Returns a redactor that masks the values of some keys, wherever they are. Case does not count.
   *
   * @param keys the keys
   * @return a redactor
   */
  static Redactor keys(String... keys) {
    Set<String> masked =
        Stream.of(Objects.requireNonNull(keys, "keys"))
            .map(key -> Objects.requireNonNull(key, "key").toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    return (path, key, value) -> masked.contains(key.toLowerCase(Locale.ROOT)) ? MASK : value;
  }

  /**
   * Returns a redactor that masks the values at some paths.
   *
   * @param paths the paths, such as {@code input.user.password}
   * @return a redactor
   */
  static Redactor paths(String... paths) {
    Set<String> masked = new HashSet<>();
    for (String path : Objects.requireNonNull(paths, "paths")) {
      masked.add(Objects.requireNonNull(path, "path"));
    }
    return (path, key, value) -> masked.contains(path) ? MASK : value;
  }

  /**
   * Masks inside a value that cannot change, and returns one.
   *
   * @param path where the value is
   * @param key the last key of the path
   * @param value the value, or null
   * @return what to keep of it, or null
   */
  default @Nullable Object redactAll(String path, String key, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    Object kept = redact(path, key, value);
    if (kept instanceof Map<?, ?> map) {
      Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach(
          (inner, element) -> {
            String name = String.valueOf(inner);
            Object keptKey = inner instanceof String ? inner : redactInside(path, key, inner);
            copy.put(keptKey, redactAll(path + "." + name, name, element));
          });
      return Data.freeze(key, copy);
    }
    return redactInside(path, key, kept);
  }

  private @Nullable Object redactInside(String path, String key, @Nullable Object value) {
    Object[] elements =
        value instanceof Collection<?> collection
            ? collection.toArray()
            : value instanceof Object[] array ? array : null;
    if (elements == null) {
      return value instanceof Map ? redactAll(path, key, value) : Data.freeze(key, value);
    }
    Collection<@Nullable Object> copy =
        value instanceof Set ? new LinkedHashSet<>() : new ArrayList<>(elements.length);
    for (Object element : elements) {
      copy.add(redactAll(path, key, element));
    }
    return Data.freeze(key, copy);
  }
}
