package dev.stillframe.trace;

/** The status of a trace. Once it is completed, failed or cancelled, it stays so. */
public enum TraceStatus {
  /** Open. */
  RUNNING,
  /** Released without having been ended; it may be loaded and go on. */
  INTERRUPTED,
  /** Ended by {@link TraceManager#markComplete()}. */
  COMPLETED,
  /** Ended by {@link TraceManager#fail(Throwable)}. */
  FAILED,
  /** Ended by {@link TraceManager#cancel(String)}. */
  CANCELLED;

  /**
   * Tells whether this is an outcome, which never changes again.
   *
   * @return true for completed, failed and cancelled
   */
  public boolean isFinal() {
    return this != RUNNING && this != INTERRUPTED;
  }
}
