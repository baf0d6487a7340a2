package dev.stillframe.session;

import dev.stillframe.StillframeException;

/** Thrown when a session has no event with the id that was given. Nothing was changed. */
public final class SessionEventNotFoundException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The session. */
  private final SessionId id;

  /** The event. */
  private final String event;

  /**
   * Creates the exception. For implementations of {@link SessionService}.
   *
   * @param id the session
   * @param event the id of the event that was asked for
   */
  public SessionEventNotFoundException(SessionId id, String event) {
    super("The session must have the event '" + event + "'; it has not: " + id);
    this.id = id;
    this.event = event;
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
   * Returns the event that was asked for.
   *
   * @return the id of the event
   */
  public String event() {
    return event;
  }
}
