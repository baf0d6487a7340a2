package dev.stillframe.session;

import dev.stillframe.StillframeException;

/**
 * Thrown when a session is asked for that does not exist, or when a handle is used whose session
 * was deleted or let go, whether or not another one was created under its id. Nothing was changed.
 */
public final class SessionNotFoundException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The id. */
  private final SessionId id;

  /**
   * Creates the exception. For implementations of {@link SessionService}.
   *
   * @param id the id that was asked for
   */
  public SessionNotFoundException(SessionId id) {
    super("There must be a session, but there is none: " + id);
    this.id = id;
  }

  /**
   * Returns the id that was asked for.
   *
   * @return the id
   */
  public SessionId id() {
    return id;
  }
}
