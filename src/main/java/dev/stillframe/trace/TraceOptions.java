package dev.stillframe.trace;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Options of a trace. Immutable, and may be used for any number of traces. */
public final class TraceOptions {
  private static final TraceOptions DEFAULTS = new Builder().build();

  final @Nullable String id;
  final @Nullable String createdBy;
  final Map<String, @Nullable Object> metadata;
  final int queueCapacity;
  final boolean refuseWhenFull;
  final Duration closeTimeout;
  final long retainedEvents;
  final long retainedBytes;
  final @Nullable TraceStore store;
  final Redactor redactor;
  final Executor executor;
  final Executor callbacks;
  final Clock clock;

  private TraceOptions(Builder builder) {
    id = builder.id;
    createdBy = builder.createdBy;
    metadata = builder.metadata;
    queueCapacity = builder.queueCapacity;
    refuseWhenFull = builder.refuseWhenFull;
    closeTimeout = builder.closeTimeout;
    retainedEvents = builder.retainedEvents;
    retainedBytes = builder.retainedBytes;
    store = builder.store;
    redactor = builder.redactor;
    executor = builder.executor == null ? Threads.branches() : builder.executor;
    callbacks = builder.executor == null ? Threads::run : Threads.through(builder.executor);
    clock = builder.clock;
  }

  /**
   * Returns the defaults.
   *
   * @return the options that {@link TraceManager#open()} takes
   */
  public static TraceOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Starts options.
   *
   * @return a new builder with the defaults
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns these options with another store. */
  TraceOptions withStore(TraceStore other) {
    return other == store ? this : new TraceOptions(this, other);
  }

  private TraceOptions(TraceOptions options, TraceStore store) {
    id = options.id;
    createdBy = options.createdBy;
    metadata = options.metadata;
    queueCapacity = options.queueCapacity;
    refuseWhenFull = options.refuseWhenFull;
    closeTimeout = options.closeTimeout;
    retainedEvents = options.retainedEvents;
    retainedBytes = options.retainedBytes;
    this.store = store;
    redactor = options.redactor;
    executor = options.executor;
    callbacks = options.callbacks;
    clock = options.clock;
  }

  /** Collects options. A builder belongs to one thread; it may be reused. */
  public static final class Builder {
    private @Nullable String id;
    private @Nullable String createdBy;
    private Map<String, @Nullable Object> metadata = Map.of();
    private int queueCapacity = 1_024;
    private boolean refuseWhenFull;
    private Duration closeTimeout = Duration.ofSeconds(30);
    private long retainedEvents = Long.MAX_VALUE;
    private long retainedBytes = Long.MAX_VALUE;
    private @Nullable TraceStore store;
    private Redactor redactor = Redactor.none();
    private @Nullable Executor executor;
    private Clock clock = Clock.systemUTC();

    private Builder() {}

    /**
     * Chooses the id. Default: the date in UTC as {@code yyyyMMdd} and 12 digits, which no other
     * trace of this process has.
     *
     * @param id any text but the empty one
     * @return this
     * @throws IllegalArgumentException if it is empty
     */
    public Builder id(String id) {
      if (Objects.requireNonNull(id, "id").isEmpty()) {
        throw new IllegalArgumentException("The id of a trace must not be empty");
      }
      this.id = id;
      return this;
    }

    /**
     * Says who opens the trace. Default: nobody says.
     *
     * @param createdBy any text
     * @return this
     */
    public Builder createdBy(String createdBy) {
      this.createdBy = Objects.requireNonNull(createdBy, "createdBy");
      return this;
    }

    /**
     * Says what else is known about the trace. Default: nothing.
     *
     * @param metadata anything; copied deeply
     * @return this
     */
    public Builder metadata(Map<String, ? extends @Nullable Object> metadata) {
      this.metadata = Data.freezeMap("metadata", metadata);
      return this;
    }

    /**
     * Sets how many commands may wait to be executed, and how many events may wait to be stored. If
     * it is reached, producers wait for room. Default: 1,024.
     *
     * @param capacity the number
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder queueCapacity(int capacity) {
      queueCapacity = (int) positive("queueCapacity", capacity);
      return this;
    }

    /**
     * Makes a full trace refuse commands with {@link TraceFullException}. Default: producers wait.
     *
     * @return this
     */
    public Builder refuseWhenFull() {
      refuseWhenFull = true;
      return this;
    }

    /**
     * Bounds how long {@link TraceManager#close()} waits for the store. Default: 30 seconds.
     *
     * @param timeout the bound, zero to not wait
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public Builder closeTimeout(Duration timeout) {
      if (Objects.requireNonNull(timeout, "closeTimeout").isNegative()) {
        throw new IllegalArgumentException("closeTimeout must not be negative; it is " + timeout);
      }
      closeTimeout = timeout;
      return this;
    }

    /**
     * Sets how many events are kept in memory at least; older ones are let go of in chunks. Nodes
     * and spaces do not count. Default: all.
     *
     * @param events the number
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder retainEvents(long events) {
      retainedEvents = positive("retainEvents", events);
      return this;
    }

    /**
     * Bounds how many bytes of events are kept in memory, by an estimate; older ones are let go of
     * in chunks, of which the newest is always kept. Default: no bound.
     *
     * @param bytes the number
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder retainBytes(long bytes) {
      retainedBytes = positive("retainBytes", bytes);
      return this;
    }

    /**
     * Sets where events are kept. Default: in memory only.
     *
     * @param store the store
     * @return this
     */
    public Builder store(TraceStore store) {
      this.store = Objects.requireNonNull(store, "store");
      return this;
    }

    /**
     * Sets what masks values before they are part of an event. Default: nothing is masked.
     *
     * @param redactor the redactor
     * @return this
     */
    public Builder redactor(Redactor redactor) {
      this.redactor = Objects.requireNonNull(redactor, "redactor");
      return this;
    }

    /**
     * Sets what runs subscribers and branches. Commands are never run by it. If it rejects a
     * subscriber's task, that runs on a thread of the library's; if it drops tasks without a word,
     * subscribers get nothing; if all of its threads are blocked, subscribers wait, and the trace
     * does not.
     *
     * <p>Default: for branches virtual threads from JDK 24 on; for subscribers, and for branches
     * before, daemon threads that all traces share. Of these there are as many as callbacks, stores
     * and branches run or block at one moment. They have no bound, since a bound would let
     * callbacks that block or compute hold up others; short ones are done by a few. Besides, as
     * many threads as there are processors wait for work, each for a second. If the JVM can start
     * no more threads, a callback runs on the thread that emits the event, which it then holds up.
     *
     * @param executor the executor
     * @return this
     */
    public Builder executor(Executor executor) {
      this.executor = Objects.requireNonNull(executor, "executor");
      return this;
    }

    /**
     * Sets the clock of the events. It is asked on the calling thread. Default: the system's.
     *
     * @param clock the clock
     * @return this
     */
    public Builder clock(Clock clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Creates the options.
     *
     * @return the options so far
     */
    public TraceOptions build() {
      return new TraceOptions(this);
    }

    private static long positive(String option, long value) {
      if (value <= 0) {
        throw new IllegalArgumentException(option + " must be positive; it is " + value);
      }
      return value;
    }
  }
}
