package dev.stillframe.session;

import dev.stillframe.StillframeException;

/** Thrown when a service is used after it was closed. Nothing was changed. */
public final class SessionServiceClosedException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. For implementations of {@link SessionService}. */
  public SessionServiceClosedException() {
    super("A session service must not be used after it was closed");
  }
}
