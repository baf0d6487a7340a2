package dev.stillframe.session.store;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who shares a key: its first prefix says it. */
enum Scope {
  APP("app:"),
  USER("user:"),
  TEMP("temp:"),
  OWN("");

  private static final List<Scope> WITH_PREFIX = Arrays.asList(APP, USER, TEMP);

  private final String prefix;

  Scope(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Returns the scope of a key.
   *
   * @throws IllegalArgumentException if the key is a bare prefix
   */
  static Scope of(String key) {
    for (Scope scope : WITH_PREFIX) {
      if (key.startsWith(scope.prefix)) {
        if (key.length() == scope.prefix.length()) {
          throw new IllegalArgumentException(
              "A state key must have a name after its prefix; it is '" + key + "'");
        }
        return scope;
      }
    }
    return OWN;
  }

  boolean isShared() {
    return this == APP || this == USER;
  }

  /** Returns the entries whose keys have a scope that is asked for. */
  static <V extends @Nullable Object> Map<String, V> only(
      Map<String, V> map, Predicate<Scope> scopes) {
    Map<String, V> some = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> {
          if (scopes.test(of(key))) {
            some.put(key, value);
          }
        });
    return some;
  }
}
