package dev.stillframe.json;

import dev.stillframe.StillframeException;

/** Thrown when a text is no JSON, or none that can be read. */
public final class JsonException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what is wrong, and where
   */
  public JsonException(String message) {
    super(message);
  }

  /**
   * Creates an exception with what led to it.
   *
   * @param message what is wrong, and where
   * @param cause what led to it
   */
  public JsonException(String message, Throwable cause) {
    super(message, cause);
  }
}
