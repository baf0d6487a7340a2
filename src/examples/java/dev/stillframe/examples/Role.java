package dev.stillframe.examples;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who a message is from. */
enum Role {
  SYSTEM,
  USER,
  ASSISTANT,
  TOOL;

  /** Returns the role that a recorded conversation calls by this name, or null. */
  static @Nullable Role named(String name) {
    return Arrays.stream(values()).filter(role -> role.text().equals(name)).findAny().orElse(null);
  }

  static String choices() {
    return Arrays.stream(values()).map(Role::text).collect(Collectors.joining(", "));
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the state key under which messages of this role are counted. */
  String counterKey() {
    return "messages." + text();
  }
}
