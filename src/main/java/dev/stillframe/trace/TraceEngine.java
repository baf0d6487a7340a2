package dev.stillframe.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the parts of a trace together: commands go through the {@link CommandQueue} and the {@link
 * WorkerRole}; there they become events of the {@link EventHistory}, which add up to the {@link
 * TraceModel}; subscriptions and the store read the history.
 */
final class TraceEngine implements WorkerRole.Owner, EventSubscription.Owner {
  final String id;
  final TraceOptions options;
  private final TraceModel model = new TraceModel();
  private final EventHistory history;
  private final CommandQueue queue;
  private final WorkerRole role;
  private final @Nullable StoreWriter writer;
  private final CopyOnWriteArrayList<EventSubscription> subscriptions =
      new CopyOnWriteArrayList<>();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private final Faults faults;

  /** The worker role's. False to true as the last command is executed. */
  private boolean sealing;

  TraceEngine(String id, TraceOptions options) {
    this.id = id;
    this.options = options;
    faults = new Faults(id);
    history = new EventHistory(options.retainedEvents, options.retainedBytes);
    queue = new CommandQueue(options.queueCapacity);
    role = new WorkerRole(queue, this, Threads.own());
    TraceStore store = options.store;
    if (store == null) {
      writer = null;
    } else {
      history.written(0);
      writer = new StoreWriter(id, store, history, this::cursor, role::wakeAll);
    }
  }

  Instant now() {
    return options.clock.instant();
  }

  void init() {
    Instant at = now();
    Map<String, @Nullable Object> metadata = TraceNode.keepMap(this, options.metadata);
    TraceStore store = options.store;
    if (store != null) {
      new StoredEvents(this, store).create(at);
    }
    post(() -> emit(new TraceEvent.Init(id, nextSequence(), at, options.createdBy, metadata)));
  }

  /** Takes over the events that the store has, in place of {@link #init}. */
  StoreReport load() {
    TraceStore store = options.store;
    if (store == null) {
      throw new IllegalStateException(
          "A trace must have a store to be loaded; '" + id + "' has none");
    }
    StoredEvents stored = new StoredEvents(this, store);
    StoreReport report = stored.load();
    if (stored.ending() != null) {
      role.awaitExecuted(role.close(stored.ending()));
    }
    return report;
  }

  void log(String nodeId, LogLevel level, String message, List<@Nullable Object> arguments) {
    accept(new Log(nodeId, now(), level, message, arguments));
  }

  // Commands

  /** Submits a command that nobody waits for. */
  void post(Runnable body) {
    accept(new Post(body));
  }

  /** Submits a command, and waits for its result. What it throws has had no effect. */
  <R extends @Nullable Object> R change(Supplier<R> body) {
    Call<R> call = new Call<>(body);
    accept(call);
    role.awaitExecuted(call);
    return call.result();
  }

  /**
   * Submits a command for which there is room in any case, and waits for its result: the end of a
   * node that the library runs, of which there are no more than nodes.
   */
  <R extends @Nullable Object> R changeInAnyCase(Supplier<R> body) {
    Call<R> call = new Call<>(body);
    if (role.submitReading(call) != CommandQueue.Offer.ACCEPTED) {
      refused.incrementAndGet();
      throw closedException();
    }
    role.awaitExecuted(call);
    return call.result();
  }

  private void accept(Command command) {
    CommandQueue.Offer offer = role.submit(command, !options.refuseWhenFull);
    if (offer != CommandQueue.Offer.ACCEPTED) {
      refused.incrementAndGet();
      throw offer == CommandQueue.Offer.FULL
          ? new TraceFullException(id, options.queueCapacity)
          : closedException();
    }
  }

  /** Refuses a write once the trace is closed. */
  void requireOpen() {
    if (isClosed()) {
      refused.incrementAndGet();
      throw closedException();
    }
  }

  TraceClosedException closedException() {
    Command.Last last = queue.last();
    return new TraceClosedException(id, last instanceof Ending ending ? ending.how() : "closed");
  }

  /**
   * Reads the model, as of all commands accepted before. Once the trace is closed and its last
   * command is executed, the model no longer changes, and is read without further ado.
   */
  <R extends @Nullable Object> R read(Supplier<R> body) {
    Call<R> call = new Call<>(body);
    if (role.submitReading(call) == CommandQueue.Offer.ACCEPTED) {
      role.awaitExecuted(call);
      return call.result();
    }
    awaitLast();
    return body.get();
  }

  /** Waits until what was accepted before the close is executed, if the trace is closed. */
  void awaitLast() {
    Command.Last last = queue.last();
    if (last != null) {
      role.awaitExecuted(last);
    }
  }

  /**
   * Closes the trace with an outcome, unless it is closed already.
   *
   * @return whether this call did it
   */
  @SuppressWarnings("ReferenceEquality") // which ending it is
  boolean end(Ending ending) {
    Command.Last first = role.close(ending);
    role.awaitExecuted(first);
    if (first != ending && ((Ending) first).outcome() == null) {
      refused.incrementAndGet();
      throw closedException();
    }
    return first == ending;
  }

  /** Closes the trace without an outcome, if it is open, and waits for the store. */
  void release() {
    role.awaitExecuted(role.close(new Ending(this, null, null, Instant.EPOCH)));
    StoreWriter storing = writer;
    if (storing != null
        && !storing.isWritingHere()
        && !await(storing::isDone, options.closeTimeout)) {
      faults.closeTimedOut(history.unwritten(), options.closeTimeout);
    }
  }

  boolean isClosed() {
    return queue.last() != null;
  }

  boolean await(BooleanSupplier condition, Duration timeout) {
    return role.await(condition, deadline(timeout));
  }

  /** Returns when a timeout from now is over, or null if nobody will see that day. */
  static @Nullable Long deadline(Duration timeout) {
    return timeout.compareTo(Duration.ofDays(10_000)) > 0
        ? null
        : (Long) (System.nanoTime() + timeout.toNanos());
  }

  /** Waits for a condition that is told of by {@link #wakeAll}; an interrupt ends the wait. */
  boolean awaitUnlessInterrupted(BooleanSupplier condition, @Nullable Long deadline) {
    return role.awaitUnlessInterrupted(condition, deadline);
  }

  void wakeAll() {
    role.wakeAll();
  }

  // In the worker role

  TraceModel model() {
    return model;
  }

  long nextSequence() {
    return history.nextSequence();
  }

  /** Makes an event happen. For the worker role. */
  void emit(TraceEvent event) {
    history.append(event);
    model.apply(event);
  }

  /** Makes events happen that the store has, and has read. */
  void restore(List<TraceEvent> events) {
    change(
        () -> {
          for (TraceEvent event : events) {
            if (event.sequence() > history.nextSequence()) {
              history.skip(event.sequence() - 1); // lost, which readers are told as a gap
            }
            history.written(event.sequence()); // not to be written again
            history.append(event);
            model.restore(event);
          }
          model.interrupted();
          return true;
        });
  }

  /** Records an event that has happened. For the worker role. */
  void record(TraceEvent memoryEvent) {
    history.append(memoryEvent);
    model.applied(memoryEvent);
  }

  /** Says that no event will follow. For the worker role. */
  void seal() {
    model.interrupted();
    sealing = true;
  }

  @Override
  public boolean hasRoom() {
    return writer == null
        || history.unwritten() < options.queueCapacity
        || writer.isWritingHere(); // it would wait for itself
  }

  @Override
  public void publish() {
    if (sealing) {
      history.seal();
    } else {
      history.publish();
    }
  }

  @Override
  public void published() {
    if (writer != null) {
      writer.wake();
    }
    for (EventSubscription subscription : subscriptions) {
      subscription.wake();
    }
  }

  // Events

  private EventCursor cursor(long after) {
    return new EventCursor(id, history, this::nowInAnyCase, archive(), after);
  }

  /** Asks the clock; if that throws, it is the system's time. */
  Instant nowInAnyCase() {
    try {
      return now();
    } catch (Throwable thrown) {
      faults.clockFailed(thrown);
      return Instant.now();
    }
  }

  private EventCursor.@Nullable Archive archive() {
    TraceStore store = options.store;
    return store == null ? null : (first, last) -> readStored(store, first, last);
  }

  private List<TraceEvent> readStored(TraceStore store, long first, long last) {
    try {
      return List.copyOf(store.read(id, first - 1, (int) Math.min(256, last - first + 1)));
    } catch (Throwable thrown) {
      faults.storeFailedToRead(thrown);
      return List.of(); // which the reader is told as a gap
    }
  }

  /** Returns the events after a sequence number that happened before this call. */
  List<TraceEvent> eventList(long after) {
    long last = read(() -> history.nextSequence() - 1);
    List<TraceEvent> events = new ArrayList<>();
    EventCursor cursor = cursor(requireSequence(after));
    for (TraceEvent event = last > after ? cursor.next() : null; event != null; ) {
      events.add(event);
      event = event.sequence() < last ? cursor.next() : null;
    }
    return List.copyOf(events);
  }

  EventStream stream(long after) {
    return new EventStream(cursor(requireSequence(after)), role);
  }

  void subscribe(long after, Flow.Subscriber<? super TraceEvent> subscriber) {
    EventSubscription subscription =
        new EventSubscription(cursor(after), options.callbacks, this, subscriber);
    subscriptions.add(subscription);
    // Added before it looks at the history: what is published from here on wakes it.
    subscription.start(subscriber);
  }

  static long requireSequence(long after) {
    if (after < 0) {
      throw new IllegalArgumentException("A sequence number must not be negative; it is " + after);
    }
    return after;
  }

  @Override
  public void ended(EventSubscription subscription) {
    subscriptions.remove(subscription);
    role.wakeAll();
  }

  @Override
  public void threw(Throwable thrown) {
    faults.subscriberThrew(thrown);
  }

  @Override
  public void gap() {
    gaps.incrementAndGet();
  }

  /** Takes note of what kept the end of a branch's node out of the trace. */
  void branchEndingFailed(Throwable thrown) {
    faults.commandFailed(thrown);
  }

  /** Takes note of what a command threw. For the worker role. */
  void commandFailed(Throwable thrown) {
    faults.commandFailed(thrown);
  }

  TraceStats stats() {
    long accepted = queue.accepted();
    long owed = queue.owed();
    return new TraceStats(
        accepted,
        accepted - owed,
        refused.get(),
        faults.commands(),
        owed,
        history.published(),
        history.oldest(),
        subscriptions.size(),
        faults.subscribers(),
        gaps.get(),
        writer == null ? 0 : history.unwritten(),
        health().failedWrites());
  }

  StoreHealth health() {
    return writer == null ? StoreHealth.GOOD : writer.health();
  }

  /** Waits until the store has what was accepted before, and has made that durable. */
  boolean flush() {
    long last = read(() -> history.nextSequence() - 1);
    Long deadline = deadline(options.closeTimeout);
    if (writer == null
        || writer.isWritingHere()
        || !role.await(() -> history.written() >= last, deadline)) {
      return false;
    }
    AtomicReference<Boolean> isDurable = new AtomicReference<>();
    writer.flush(isDurable::set);
    return role.await(() -> isDurable.get() != null, deadline)
        && Boolean.TRUE.equals(isDurable.get());
  }

  /** Adds a log entry: a class of its own, since it is by far the most frequent command. */
  private final class Log extends Command {
    private final String nodeId;
    private final Instant at;
    private final LogLevel level;
    private final String message;
    private final List<@Nullable Object> arguments;

    Log(
        String nodeId,
        Instant at,
        LogLevel level,
        String message,
        List<@Nullable Object> arguments) {
      this.nodeId = nodeId;
      this.at = at;
      this.level = level;
      this.message = message;
      this.arguments = arguments;
    }

    @Override
    void execute() {
      emit(new TraceEvent.LogAdded(id, nextSequence(), at, nodeId, level, message, arguments));
    }

    @Override
    void failed(Throwable thrown) {
      faults.commandFailed(thrown);
    }
  }

  /** A command that nobody waits for. */
  private final class Post extends Command {
    private final Runnable body;

    Post(Runnable body) {
      this.body = body;
    }

    @Override
    void execute() {
      body.run();
    }

    @Override
    void failed(Throwable thrown) {
      faults.commandFailed(thrown);
    }
  }
}
