package dev.stillframe.trace;

/** The status of a node: pending, running, and then exactly one of the others, which is final. */
public enum NodeStatus {
  /** Created, not started. */
  PENDING,
  /** Started, not ended. */
  RUNNING,
  /** Ended well. */
  COMPLETED,
  /** Ended by an error. */
  FAILED,
  /** Ended without having been done. */
  SKIPPED,
  /** Ended by a cancellation. */
  CANCELLED;

  /**
   * Tells whether a node with this status has ended.
   *
   * @return true for the four final ones
   */
  public boolean isFinal() {
    return this != PENDING && this != RUNNING;
  }
}
