package dev.stillframe.session;

import dev.stillframe.StillframeException;

/** Thrown when a session is created under an id that is taken. Nothing was changed. */
public final class SessionAlreadyExistsException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The id. */
  private final SessionId id;

  /**
   * Creates the exception. For implementations of {@link SessionService}.
   *
   * @param id the id that is taken
   */
  public SessionAlreadyExistsException(SessionId id) {
    super("A session must not be created twice; it exists already: " + id);
    this.id = id;
  }

  /**
   * Returns the id that is taken.
   *
   * @return the id
   */
  public SessionId id() {
    return id;
  }
}
