package dev.stillframe.trace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How well events are being kept.
 *
 * @param isStoring whether the last write went well; true if there was none
 * @param failedWrites how many events could not be kept so far
 * @param lastFailure why the last of them could not, or null if all were
 * @param lastFailureAt when that was, or null
 */
public record StoreHealth(
    boolean isStoring,
    long failedWrites,
    @Nullable TraceError lastFailure,
    @Nullable Instant lastFailureAt) {
  /** All is well. */
  public static final StoreHealth GOOD = new StoreHealth(true, 0, null, null);

  /** Returns what it is after a write that went well. */
  StoreHealth afterSuccess() {
    return isStoring ? this : new StoreHealth(true, failedWrites, lastFailure, lastFailureAt);
  }

  /** Returns what it is after a write that failed. */
  StoreHealth afterFailure(int events, Throwable thrown) {
    return new StoreHealth(false, failedWrites + events, TraceError.of(thrown), Instant.now());
  }
}
