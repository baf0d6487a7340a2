package dev.stillframe.state;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An update function that this thread has run many times in a row. If the function itself writes
 * the key that it updates, each such write makes it run again, and there may be no end to it; so by
 * now it is refused. Other threads' writes of the key are the ordinary reason for running again.
 */
final class UpdateRerun {
  private static final ThreadLocal<UpdateRerun> INNERMOST = new ThreadLocal<>();

  private final AbstractSessionState state;
  private final String key;
  private final @Nullable UpdateRerun outer;

  private UpdateRerun(AbstractSessionState state, String key, @Nullable UpdateRerun outer) {
    this.state = state;
    this.key = key;
    this.outer = outer;
  }

  static @Nullable Object run(
      AbstractSessionState state,
      String key,
      UnaryOperator<@Nullable Object> function,
      @Nullable Object old) {
    UpdateRerun outer = INNERMOST.get();
    INNERMOST.set(new UpdateRerun(state, key, outer));
    try {
      return function.apply(old);
    } finally {
      if (outer == null) {
        INNERMOST.remove();
      } else {
        INNERMOST.set(outer);
      }
    }
  }

  /**
   * Refuses a write by a function that updates the same key.
   *
   * @param key what is to be written, or null for all keys
   */
  static void refuseOwnWrite(AbstractSessionState state, @Nullable String key) {
    for (UpdateRerun run = INNERMOST.get(); run != null; run = run.outer) {
      if (run.state == state && (key == null || key.equals(run.key))) {
        throw new IllegalStateException(
            "The function that updates state key '" + run.key + "' must not write that key itself");
      }
    }
  }
}
