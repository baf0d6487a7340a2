package dev.stillframe.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One trace: what an agent does, as a tree of nodes.
 *
 * <pre>{@code
 * try (TraceManager trace = TraceManager.open(TraceOptions.builder().createdBy("user-7").build())) {
 *   trace.add("Which flights are left?", NodeOptions.label("Plan"));
 *   List<TraceNode> workers =
 *       trace.parallel(NodeSpec.of("JFK", "Search JFK"), NodeSpec.of("EWR", "Search EWR"));
 *   workers.forEach(node -> node.info("{} offers", 3).complete(Map.of("offers", 3)));
 *   trace.add(null, NodeOptions.label("Merge")); // joins the two branches
 *   trace.markComplete();
 * }
 * }</pre>
 *
 * <p><b>Commands.</b> It may be used by any number of threads. What changes it is a command: it is
 * accepted and executed exactly once, in one total order that keeps each thread's own order; or it
 * is refused with {@link TraceClosedException} and has had no effect. A thread reads its own
 * writes. A call waits only while {@link TraceOptions.Builder#queueCapacity(int)} commands or
 * unwritten events are before it; an interrupt does not end that wait, the close does. The memory
 * of what is passed is copied on the calling thread, and the clock and the redactor are asked
 * there; what they throw reaches the caller, and nothing has changed.
 *
 * <p><b>Ending and closing.</b> {@link #markComplete()}, {@link #fail(Throwable)} and {@link
 * #cancel(String)} give the trace its outcome, the first one for good. From there on it is closed:
 * it accepts nothing, producers that wait for room are refused at once, and what was accepted
 * before is executed before the ending. {@link #close()} releases it, decides no outcome, and waits
 * for the store. All of them may be called again, from many threads, and from subscribers.
 *
 * <p><b>Subscribers</b> get every event from their starting point exactly once, in order, ending
 * with the last one, also when the trace is closed long since. They are called on the executor of
 * the options, one event at a time; they may block, and may use the trace. A slow one lags, and
 * holds up nobody. If events were let go of before it came to them (see {@link
 * TraceOptions.Builder#retainEvents(long)}), and the store does not have them, it gets one {@link
 * TraceEvent.Gap} in their place.
 */
public final class TraceManager implements AutoCloseable {
  private final TraceEngine engine;
  private final StoreReport loadReport;
  private final Runnable released;

  private TraceManager(TraceEngine engine, StoreReport loadReport, Runnable released) {
    this.engine = engine;
    this.loadReport = loadReport;
    this.released = released;
  }

  /**
   * Opens a trace in memory.
   *
   * @return a new trace
   */
  public static TraceManager open() {
    return open(TraceOptions.defaults());
  }

  /**
   * Opens a trace.
   *
   * @param options its options
   * @return a new trace
   */
  public static TraceManager open(TraceOptions options) {
    Objects.requireNonNull(options, "options");
    String id = options.id == null ? TraceIds.next(options.clock.instant()) : options.id;
    return open(id, options, () -> {});
  }

  /** Opens a trace and has something run whenever it has been released. */
  static TraceManager open(String id, TraceOptions options, Runnable released) {
    TraceEngine engine = new TraceEngine(id, options);
    engine.init();
    return new TraceManager(engine, StoreReport.NONE, released);
  }

  /** Opens a trace from what its store has of it. */
  static TraceManager load(String id, TraceOptions options, Runnable released) {
    TraceEngine engine = new TraceEngine(id, options);
    return new TraceManager(engine, engine.load(), released);
  }

  /**
   * Returns the id of this trace.
   *
   * @return the id
   */
  public String id() {
    return engine.id;
  }

  // The tree

  /**
   * Adds the node that follows the current one, or joins the current ones, and is then the current
   * one. The first one is the root. Parents that are running are completed first, unless the
   * options say not to.
   *
   * @param input its input, or null
   * @param options what it is called, and how it is added
   * @return the new node
   * @throws TraceClosedException if the trace is closed
   * @throws IllegalArgumentException if the options choose an id that is used
   */
  public TraceNode add(@Nullable Object input, NodeOptions options) {
    return TraceNode.add(engine, null, List.of(new NodeSpec(input, options))).get(0);
  }

  /**
   * Adds nodes that follow the current ones, side by side, in one step, as {@link #add} does. They
   * are then the current ones.
   *
   * @param specs the nodes, at least one
   * @return the new nodes, in that order
   * @throws TraceClosedException if the trace is closed
   * @throws IllegalArgumentException if there are none, or if one chooses an id that is used
   */
  public List<TraceNode> parallel(NodeSpec... specs) {
    return TraceNode.add(engine, null, TraceNode.listOf(specs));
  }

  /**
   * Runs work in a new node, on the calling thread. The node follows the current ones, which stay
   * open. It is completed with what the work returns, or fails with what it throws, which is thrown
   * on; if somebody else has ended the node or the trace meanwhile, that stands.
   *
   * @param <T> what the work returns
   * @param <X> what the work may throw
   * @param label what to call the node
   * @param body the work
   * @return what the work returned
   * @throws X if the work threw it
   * @throws TraceClosedException if the trace is closed, before the work was begun
   */
  public <T extends @Nullable Object, X extends Exception> T run(String label, NodeBody<T, X> body)
      throws X {
    Objects.requireNonNull(body, "body");
    return add(null, NodeOptions.label(label).keepParentsOpen()).runHere(body);
  }

  /**
   * Returns a handle on a node, such as one of another process.
   *
   * @param nodeId the id of the node
   * @return a handle, or null if there is no such node
   */
  public @Nullable TraceNode handle(String nodeId) {
    Objects.requireNonNull(nodeId, "nodeId");
    NodeState node = engine.<@Nullable NodeState>read(() -> engine.model().find(nodeId));
    return node == null ? null : new TraceNode(engine, node);
  }

  /**
   * Creates a space: a state whose changes are events of this trace.
   *
   * @param options what it is called
   * @return the space
   * @throws TraceClosedException if the trace is closed
   * @throws IllegalArgumentException if the options choose an id that is used
   */
  public TraceSpace createSpace(SpaceOptions options) {
    Objects.requireNonNull(options, "options");
    Map<String, @Nullable Object> metadata = TraceNode.keepMap(engine, options.metadata);
    Instant at = engine.now();
    return new SpaceHandle(
        engine,
        engine.change(() -> SpaceCommands.create(engine, at, options.id, options.name, metadata)));
  }

  /**
   * Returns a space, such as one of another process.
   *
   * @param spaceId the id of the space
   * @return the space, or null if there is no such space, or it is deleted
   */
  public @Nullable TraceSpace space(String spaceId) {
    Objects.requireNonNull(spaceId, "spaceId");
    SpaceState space = engine.<@Nullable SpaceState>read(() -> engine.model().findSpace(spaceId));
    return space == null ? null : new SpaceHandle(engine, space);
  }

  // Branches

  /**
   * Runs branches side by side, and returns when all have ended. See {@link #all(List,
   * BranchOptions)}.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @return how each of them ended, in the same order
   * @throws InterruptedException if the calling thread is interrupted
   */
  public <T extends @Nullable Object> List<BranchResult<T>> all(List<Branch<T>> branches)
      throws InterruptedException {
    return all(branches, BranchOptions.defaults());
  }

  /**
   * Runs branches side by side, each in a node of its own, and returns when all have ended. A
   * branch that fails stops no other one. At the deadline, or when the trace is closed, those that
   * are still running are cancelled: interrupted, their nodes and all that follow them ended as
   * cancelled, and what they return later is ignored. Whoever ends the node of a running branch
   * from outside, other than as completed, makes it a failure, but does not interrupt it.
   *
   * <p>The branches follow the current nodes. A branch that itself runs branches has them follow
   * its own node, see {@link TraceNode#all(List, BranchOptions)} of {@link BranchContext#node()}.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @param options the state that they share, the deadline
   * @return how each of them ended, in the same order; a failure is a value
   * @throws InterruptedException if the calling thread is interrupted; the branches are cancelled
   * @throws TraceClosedException if the trace is closed, before anything was begun
   * @throws IllegalArgumentException if there are no branches
   */
  public <T extends @Nullable Object> List<BranchResult<T>> all(
      List<Branch<T>> branches, BranchOptions options) throws InterruptedException {
    return new BranchRun<>(engine, null, branches, options).all();
  }

  /**
   * Runs branches side by side, and returns the result of the first that succeeds. See {@link
   * #any(List, BranchOptions)}.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @return the result
   * @throws InterruptedException if the calling thread is interrupted
   */
  public <T extends @Nullable Object> BranchResult<T> any(List<Branch<T>> branches)
      throws InterruptedException {
    return any(branches, BranchOptions.defaults());
  }

  /**
   * Runs branches side by side, as {@link #all(List, BranchOptions)} does, and returns the result
   * of the first that succeeds. The others are cancelled then.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @param options the state that they share, the deadline
   * @return the result of the first that succeeded
   * @throws BranchException if none succeeds; it names them all
   * @throws InterruptedException if the calling thread is interrupted; the branches are cancelled
   */
  public <T extends @Nullable Object> BranchResult<T> any(
      List<Branch<T>> branches, BranchOptions options) throws InterruptedException {
    return new BranchRun<>(engine, null, branches, options).any();
  }

  /**
   * Runs branches side by side, and returns how the first one ends. See {@link #race(List,
   * BranchOptions)}.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @return how it ended
   * @throws InterruptedException if the calling thread is interrupted
   */
  public <T extends @Nullable Object> BranchResult<T> race(List<Branch<T>> branches)
      throws InterruptedException {
    return race(branches, BranchOptions.defaults());
  }

  /**
   * Runs branches side by side, as {@link #all(List, BranchOptions)} does, and returns how the
   * first one ends, well or not. The others are cancelled then.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @param options the state that they share, the deadline
   * @return how the first one ended; at the deadline, how the first in the list was cancelled
   * @throws InterruptedException if the calling thread is interrupted; the branches are cancelled
   */
  public <T extends @Nullable Object> BranchResult<T> race(
      List<Branch<T>> branches, BranchOptions options) throws InterruptedException {
    return new BranchRun<>(engine, null, branches, options).race();
  }

  // The end

  /**
   * Ends the trace as completed. Running nodes are completed, pending ones skipped.
   *
   * @return true if this call has ended the trace; false if another one has, before
   * @throws TraceClosedException if the trace was released without an outcome
   */
  public boolean markComplete() {
    return engine.end(new Ending(engine, TraceStatus.COMPLETED, null, engine.now()));
  }

  /**
   * Ends the trace as failed. Open nodes are cancelled, with the error as the reason.
   *
   * @param error why; its class and message are kept
   * @return true if this call has ended the trace; false if another one has, before
   * @throws TraceClosedException if the trace was released without an outcome
   */
  public boolean fail(Throwable error) {
    String reason = TraceError.of(error).toString();
    return engine.end(new Ending(engine, TraceStatus.FAILED, reason, engine.now()));
  }

  /**
   * Ends the trace as cancelled. Open nodes are cancelled, with the same reason.
   *
   * @param reason why
   * @return true if this call has ended the trace; false if another one has, before
   * @throws TraceClosedException if the trace was released without an outcome
   */
  public boolean cancel(String reason) {
    Objects.requireNonNull(reason, "reason");
    return engine.end(new Ending(engine, TraceStatus.CANCELLED, reason, engine.now()));
  }

  /**
   * Releases the trace: closes it if it is open, and returns when everything that was accepted is
   * executed and written to the store. It decides no outcome. It waits for no subscriber. If the
   * store needs longer than {@link TraceOptions.Builder#closeTimeout(Duration)}, this returns all
   * the same; what is unwritten then is logged, and counted in {@link TraceStats#unwritten()}. It
   * does nothing but wait if the trace is released already, and may be called from a subscriber or
   * from the store, which does not wait for itself.
   */
  @Override
  public void close() {
    engine.release();
    released.run();
  }

  // Reading

  /**
   * Returns the status of the trace now.
   *
   * @return the status
   */
  public TraceStatus status() {
    return engine.read(() -> engine.model().status());
  }

  /**
   * Takes a picture of the trace, after everything that was accepted before. It goes on working
   * when the trace is closed, as all methods that read do.
   *
   * @return the picture
   */
  public TraceSnapshot snapshot() {
    return engine.read(() -> engine.model().snapshot());
  }

  /**
   * Returns the first node.
   *
   * @return a picture of it, or null if there are no nodes
   */
  public @Nullable NodeSnapshot root() {
    return engine.<@Nullable NodeSnapshot>read(() -> engine.model().rootSnapshot());
  }

  /**
   * Returns the nodes that the next one will follow.
   *
   * @return pictures of them
   */
  public List<NodeSnapshot> current() {
    return engine.read(() -> engine.model().currentSnapshots());
  }

  /**
   * Returns a node.
   *
   * @param nodeId its id
   * @return a picture of it, or null if there is no such node
   */
  public @Nullable NodeSnapshot node(String nodeId) {
    Objects.requireNonNull(nodeId, "nodeId");
    return engine.<@Nullable NodeSnapshot>read(
        () -> {
          NodeState node = engine.model().find(nodeId);
          return node == null ? null : node.snapshot();
        });
  }

  /**
   * Returns all nodes, in the order in which they were added.
   *
   * @return pictures of them
   */
  public List<NodeSnapshot> nodes() {
    return engine.read(() -> engine.model().nodeSnapshots());
  }

  /**
   * Returns the spaces, in the order in which they were created.
   *
   * @return pictures of them
   */
  public List<SpaceSnapshot> spaces() {
    return engine.read(() -> engine.model().spaceSnapshots());
  }

  /**
   * Returns the log entries of all nodes whose events are kept.
   *
   * @return the entries, in order
   */
  public List<LogEntry> logs() {
    return engine.eventList(0).stream()
        .filter(TraceEvent.LogAdded.class::isInstance)
        .map(event -> LogEntry.of((TraceEvent.LogAdded) event))
        .toList();
  }

  /**
   * Returns the log entries of a node whose events are kept.
   *
   * @param nodeId the node
   * @return the entries, in order
   */
  public List<LogEntry> logs(String nodeId) {
    Objects.requireNonNull(nodeId, "nodeId");
    return logs().stream().filter(log -> log.nodeId().equals(nodeId)).toList();
  }

  /**
   * Returns the events after a sequence number, as of this call. If some of them were let go of and
   * the store does not have them, there is one {@link TraceEvent.Gap} in their place.
   *
   * @param after the sequence number before the first event that is wanted; 0 for all
   * @return the events, in order
   * @throws IllegalArgumentException if the number is negative
   */
  public List<TraceEvent> eventList(long after) {
    return engine.eventList(after);
  }

  /**
   * Returns counters of the trace. They are read one by one, while others may go on.
   *
   * @return the counters
   */
  public TraceStats stats() {
    return engine.stats();
  }

  // The store

  /**
   * Returns when the store has every event of what was accepted before this call, as durably as it
   * can. It waits for no longer than {@link TraceOptions.Builder#closeTimeout(Duration)}, and not
   * at all if it is called from the store.
   *
   * @return true if the store has every event of this trace so far; false if it lacks one, since a
   *     write has failed, now or before, or takes too long, or there is no store
   */
  public boolean flush() {
    return engine.flush();
  }

  /**
   * Tells how well the events of this trace are being kept.
   *
   * @return the state of things; good if there is no store
   */
  public StoreHealth health() {
    return engine.health();
  }

  /**
   * Returns what was found as this trace was loaded. Where events are missing, readers get a {@link
   * TraceEvent.Gap}; nodes and spaces of which the first event is missing are called {@code
   * (lost)}.
   *
   * @return the report; an empty one if this trace was opened anew
   */
  public StoreReport loadReport() {
    return loadReport;
  }

  // Events

  /**
   * Publishes all events, from the first one.
   *
   * @return a publisher for any number of subscribers, each with its own place
   */
  public Flow.Publisher<TraceEvent> events() {
    return eventsAfter(0);
  }

  /**
   * Publishes the events after a sequence number.
   *
   * @param after the sequence number before the first event that is wanted
   * @return a publisher for any number of subscribers, each with its own place
   * @throws IllegalArgumentException if the number is negative
   */
  public Flow.Publisher<TraceEvent> eventsAfter(long after) {
    TraceEngine.requireSequence(after);
    return subscriber -> engine.subscribe(after, Objects.requireNonNull(subscriber, "subscriber"));
  }

  /**
   * Hands all events to a consumer, from the first one.
   *
   * @param consumer gets one event at a time; what it throws is counted and logged once, and it
   *     gets the next one all the same
   * @return the subscription
   */
  public TraceSubscription subscribe(Consumer<? super TraceEvent> consumer) {
    return subscribe(0, consumer);
  }

  /**
   * Hands the events after a sequence number to a consumer.
   *
   * @param after the sequence number before the first event that is wanted
   * @param consumer gets one event at a time; what it throws is counted and logged once, and it
   *     gets the next one all the same
   * @return the subscription
   * @throws IllegalArgumentException if the number is negative
   */
  public TraceSubscription subscribe(long after, Consumer<? super TraceEvent> consumer) {
    Objects.requireNonNull(consumer, "consumer");
    ConsumerSubscription subscription = new ConsumerSubscription(consumer, engine);
    engine.subscribe(TraceEngine.requireSequence(after), subscription);
    return subscription;
  }

  /**
   * Streams all events, from the first one, and waits for those to come. The stream ends after the
   * last event of the trace, or when it is closed by any thread. An interrupt while it waits ends
   * it with a {@link dev.stillframe.StillframeException}; the flag stays set.
   *
   * @return a stream for one thread
   */
  public Stream<TraceEvent> stream() {
    return streamAfter(0);
  }

  /**
   * Streams the events after a sequence number, as {@link #stream()} does.
   *
   * @param after the sequence number before the first event that is wanted
   * @return a stream for one thread
   * @throws IllegalArgumentException if the number is negative
   */
  public Stream<TraceEvent> streamAfter(long after) {
    return engine.stream(after).asStream();
  }

  TraceEngine engine() {
    return engine;
  }

  @Override
  public String toString() {
    return "TraceManager[" + engine.id + ", " + engine.model().status() + "]";
  }
}
