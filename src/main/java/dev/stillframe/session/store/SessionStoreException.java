package dev.stillframe.session.store;

import dev.stillframe.StillframeException;

/**
 * Thrown when a database fails. What was to be done is not done; only if the connection broke while
 * it was being committed, nobody knows. To append the event again is safe in either case.
 */
public final class SessionStoreException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what failed
   * @param cause what led to it
   */
  public SessionStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
