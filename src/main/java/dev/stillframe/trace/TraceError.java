package dev.stillframe.trace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an error: its class and its message. The error itself is not kept, since it may
 * hold on to anything.
 *
 * @param type the name of the error's class
 * @param message its message, or null if it has none
 */
public record TraceError(String type, @Nullable String message) {

  /**
   * Describes a throwable. If its message cannot be read, the description says so.
   *
   * @param thrown the throwable
   * @return its class and message
   */
  public static TraceError of(Throwable thrown) {
    String type = Objects.requireNonNull(thrown, "error").getClass().getName();
    try {
      return new TraceError(type, thrown.getMessage());
    } catch (Throwable second) {
      return new TraceError(type, "(the message threw " + second.getClass().getName() + ")");
    }
  }

  /** Returns class and message in one line. */
  @Override
  public String toString() {
    return message == null ? type : type + ": " + message;
  }
}
