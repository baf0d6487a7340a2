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

  /** Tells whether a delta changes no key but the session's own. */
  static boolean areOwn(StateDelta delta) {
    for (String key : delta.keys()) {
      if (!isOwn(key)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the changes to those keys that are asked for. */
  static StateDelta only(StateDelta delta, Predicate<String> keys) {
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
