package dev.stillframe.trace;

import dev.stillframe.StillframeException;

/**
 * Thrown when there is no room for a command, and the trace was told to refuse rather than to wait
 * ({@link TraceOptions.Builder#refuseWhenFull()}). The command has had no effect.
 */
public final class TraceFullException extends StillframeException {
  private static final long serialVersionUID = 1L;

  TraceFullException(String traceId, int capacity) {
    super(
        "The commands of trace '"
            + traceId
            + "' that wait to be executed or written must not be more than "
            + capacity);
  }
}
