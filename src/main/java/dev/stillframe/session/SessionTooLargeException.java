package dev.stillframe.session;

import dev.stillframe.StillframeException;

/**
 * Thrown when an event, or what a session is created with, would make the session larger than the
 * service admits. Nothing was changed.
 */
public final class SessionTooLargeException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The session. */
  private final SessionId id;

  /** The limit. */
  private final long limit;

  /** The size. */
  private final long size;

  /**
   * Creates the exception. For implementations of {@link SessionService}.
   *
   * @param id the session
   * @param limit how many bytes it may have
   * @param size how many bytes it would have
   */
  public SessionTooLargeException(SessionId id, long limit, long size) {
    super("A session must not exceed " + limit + " bytes; it would have " + size + ": " + id);
    this.id = id;
    this.limit = limit;
    this.size = size;
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
   * Returns how many bytes it may have.
   *
   * @return the limit
   */
  public long limit() {
    return limit;
  }

  /**
   * Returns how many bytes it would have.
   *
   * @return the size, as the service estimates it
   */
  public long size() {
    return size;
  }
}
