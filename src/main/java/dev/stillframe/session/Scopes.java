package dev.stillframe.session;

import dev.stillframe.state.StateDelta;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells from its key who shares a value. */
final class Scopes {
  static final String APP = "app:";
  static final String USER = "user:";
  static final String TEMP = "temp:";

  private static final List<String> PREFIXES = List.of(APP, USER, TEMP);

  private Scopes() {}

  static boolean isTemporary(String key) {
    return key.startsWith(TEMP);
  }

  /** Tells whether other sessions show the key, too. */
  static boolean isShared(String key) {
    return key.startsWith(APP) || key.startsWith(USER);
  }

  static boolean isStored(String key) {
    return !isTemporary(key);
  }

  static boolean isOwn(String key) {
    return !isShared(key) && !isTemporary(key);
  }

  /**
   * Checks the keys of a delta.
   *
   * @throws IllegalArgumentException if one is a bare prefix
   */
  static StateDelta requireNames(StateDelta delta) {
    for (String key : delta.keys()) {
      if (PREFIXES.contains(key)) {
        throw new IllegalArgumentException(
            "A state key must have a name after its prefix; it is '" + key + "'");
      }
    }
    return delta;
  }

  /** Tells whether a delta changes a key that is asked for. */
  static boolean any(StateDelta delta, Predicate<String> keys) {
    for (String key : delta.keys()) {
      if (keys.test(key)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the changes to those keys that are asked for; the delta itself if it has no other. */
  static StateDelta only(StateDelta delta, Predicate<String> keys) {
    if (!any(delta, keys.negate())) {
      return delta;
    }
    StateDelta.Builder some = StateDelta.builder();
    delta
        .asMap()
        .forEach(
            (key, value) -> {
              if (keys.test(key)) {
                put(some, key, value);
              }
            });
    return some.build();
  }

  /** Sets a key, or removes it if the value is null. */
  static void put(StateDelta.Builder delta, String key, @Nullable Object value) {
    if (value == null) {
      delta.remove(key);
    } else {
      delta.set(key, value);
    }
  }
}
