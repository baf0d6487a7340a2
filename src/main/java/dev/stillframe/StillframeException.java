package dev.stillframe;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions that this library defines: catch it to handle whatever a rule of the
 * library refuses. A {@code null} where none is allowed is still a {@link NullPointerException}.
 *
 * <p>A message says which rule was broken, the name of what broke it, and the actual value.
 */
public class StillframeException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message.
   *
   * @param message the rule, the name and the actual value
   */
  public StillframeException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a message and the exception that led to it.
   *
   * @param message the rule, the name and the actual value
   * @param cause what led to this exception, or {@code null} if that is unknown
   */
  public StillframeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
