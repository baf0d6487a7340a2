package dev.stillframe.trace;

import dev.stillframe.StillframeException;

/**
 * Thrown when a trace is to be written, archived or removed while it is open elsewhere: in another
 * process, or in another store of this one. Nothing has changed.
 */
public final class TraceInUseException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The id of the trace. */
  private final String traceId;

  /**
   * Creates an exception.
   *
   * @param traceId the id of the trace
   * @param where where it is open
   */
  public TraceInUseException(String traceId, String where) {
    super("A trace must be open in one place only; '" + traceId + "' is open in " + where);
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
