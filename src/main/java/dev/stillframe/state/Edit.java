package dev.stillframe.state;

import org.jspecify.annotations.Nullable;

/**
 * One key of a write over several keys.
 *
 * @param key the key
 * @param value its new stored value, or null to remove it
 * @param conditional whether the key must still hold {@code expected}
 * @param expected the stored value itself, or null for absent
 */
record Edit(String key, @Nullable Object value, boolean conditional, @Nullable Object expected) {

  static Edit always(String key, @Nullable Object value) {
    return new Edit(key, value, false, null);
  }

  static Edit ifStill(@Nullable Object expected, String key, @Nullable Object value) {
    return new Edit(key, value, true, expected);
  }
}
