package dev.stillframe.session;

import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/** Options of a service that keeps its sessions in memory. */
public final class InMemoryOptions {
  final Clock clock;

  /** The largest number if sessions are kept for ever. */
  final long idleMillis;

  final int maxSessions;
  final long maxSessionBytes;

  private InMemoryOptions(Builder builder) {
    clock = builder.clock;
    idleMillis = builder.idleMillis;
    maxSessions = builder.maxSessions;
    maxSessionBytes = builder.maxSessionBytes;
  }

  /**
   * Starts options with the defaults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Tells whether it matters when a session was used last. */
  boolean tracksUse() {
    return idleMillis < Long.MAX_VALUE || maxSessions < Integer.MAX_VALUE;
  }

  /** Collects options. A builder belongs to one thread; it may be reused. */
  public static final class Builder {
    private Clock clock = Clock.systemUTC();
    private long idleMillis = Long.MAX_VALUE;
    private int maxSessions = Integer.MAX_VALUE;
    private long maxSessionBytes = Long.MAX_VALUE;

    private Builder() {}

    /**
     * Gives the clock that says when sessions are created, changed and used. Default: the system's.
     *
     * @param clock the clock; it may be called by any thread
     * @return this
     */
    public Builder clock(Clock clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Lets go of sessions that nobody has used for a time. Used means found, or read or written
     * through a handle. An idle session is not found any more; its memory is freed by a later
     * {@code create}, at the latest when a quarter of this time has passed. Default: never.
     *
     * @param idleTimeout how long a session may be idle, positive; less than a millisecond counts
     *     as one
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder idleTimeout(Duration idleTimeout) {
      if (idleTimeout.isNegative() || idleTimeout.isZero()) {
        throw new IllegalArgumentException("The idle timeout must be positive: " + idleTimeout);
      }
      boolean isForEver = idleTimeout.compareTo(Duration.ofMillis(Long.MAX_VALUE)) >= 0;
      idleMillis = isForEver ? Long.MAX_VALUE : Math.max(1, idleTimeout.toMillis());
      return this;
    }

    /**
     * Limits the number of sessions. Where one more is created, the one that was idle for longest
     * is let go; to spare time, up to a 64th of the limit is let go at once. Default: no limit.
     *
     * @param maxSessions how many sessions may be held, positive
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxSessions(int maxSessions) {
      if (maxSessions < 1) {
        throw new IllegalArgumentException(
            "The number of sessions must be positive: " + maxSessions);
      }
      this.maxSessions = maxSessions;
      return this;
    }

    /**
     * Limits the size of a session: what it was created with and its events, as estimated from the
     * length of their texts and the number of their values. What would exceed it is refused. Direct
     * writes to the state are not counted. Default: no limit.
     *
     * @param maxSessionBytes how many bytes a session may have, positive
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxSessionBytes(long maxSessionBytes) {
      if (maxSessionBytes < 1) {
        throw new IllegalArgumentException(
            "The size of a session must be positive: " + maxSessionBytes);
      }
      this.maxSessionBytes = maxSessionBytes;
      return this;
    }

    /**
     * Creates the options.
     *
     * @return the options as they are now
     */
    public InMemoryOptions build() {
      return new InMemoryOptions(this);
    }
  }
}
