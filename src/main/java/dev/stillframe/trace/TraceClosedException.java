package dev.stillframe.trace;

import dev.stillframe.StillframeException;

/**
 * Thrown when a trace is closed: it was ended or released before this command could be accepted.
 * The command has had no effect.
 */
public final class TraceClosedException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The id of the trace. */
  private final String traceId;

  TraceClosedException(String traceId, String how) {
    super("A closed trace accepts nothing: trace '" + traceId + "' is " + how);
    this.traceId = traceId;
  }

  /**
   * Returns the id of the trace.
   *
   * @return the id
   */
  public String traceId() {
    return traceId;
  }
}
