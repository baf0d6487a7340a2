package dev.stillframe.session;

import dev.stillframe.StillframeException;

/**
 * Thrown when an append expects a version that the session has left behind. Nothing was changed.
 */
public final class SessionConflictException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The id. */
  private final SessionId id;

  /** The version that was expected. */
  private final long expected;

  /** The version that was found. */
  private final long actual;

  /**
   * Creates the exception. For implementations of {@link SessionService}.
   *
   * @param id the session
   * @param expected the version that was expected
   * @param actual the version that was found
   */
  public SessionConflictException(SessionId id, long expected, long actual) {
    super("The session must be at version " + expected + "; it is at " + actual + ": " + id);
    this.id = id;
    this.expected = expected;
    this.actual = actual;
  }

  /**
   * Returns the session.
   *
   * @return its id
   */
  public SessionId id() {
    return id;
  }

  /**
   * Returns the version that was expected.
   *
   * @return the version
   */
  public long expected() {
    return expected;
  }

  /**
   * Returns the version that was found.
   *
   * @return the version
   */
  public long actual() {
    return actual;
  }
}
