package dev.stillframe.trace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node of a trace: one step of what an agent does. It is pending or running, and then ends in
 * exactly one way, for good: the call that ended it returns true, every later one false.
 *
 * <p>It may be used by any number of threads. Each method is one command, see {@link TraceManager}:
 * it waits for nobody but for room, throws {@link TraceClosedException} if the trace is closed, and
 * has then had no effect. Only the methods that end a node return false instead if it has ended.
 * Values are copied deeply as they are passed.
 */
public final class TraceNode {
  private final TraceEngine engine;
  private final NodeState state;

  TraceNode(TraceEngine engine, NodeState state) {
    this.engine = engine;
    this.state = state;
  }

  /**
   * Returns its id, which no other node of the trace has.
   *
   * @return the id
   */
  public String id() {
    return state.id;
  }

  /**
   * Returns what it is called.
   *
   * @return the label
   */
  public String label() {
    return state.label;
  }

  /**
   * Returns its status now. It does not wait, and is no older than what this thread has done.
   *
   * @return the status
   */
  public NodeStatus status() {
    return state.status();
  }

  /**
   * Adds the node that follows this one, and takes this one's place among the current nodes of the
   * trace, if it has one. If this node is running, it is completed first, unless the options say
   * not to.
   *
   * @param input its input, or null
   * @param options what it is called, and how it is added
   * @return the new node
   * @throws IllegalArgumentException if the options choose an id that is used
   */
  public TraceNode add(@Nullable Object input, NodeOptions options) {
    return add(engine, List.of(state), List.of(new NodeSpec(input, options))).get(0);
  }

  /**
   * Adds nodes that follow this one, side by side, as {@link #add} does.
   *
   * @param specs the nodes, at least one
   * @return the new nodes, in that order
   * @throws IllegalArgumentException if there are none, or if one chooses an id that is used
   */
  public List<TraceNode> parallel(NodeSpec... specs) {
    return add(engine, List.of(state), listOf(specs));
  }

  /**
   * Adds the node that follows this one and others, and takes their place among the current nodes.
   * Those that are running are completed first, unless the options say not to.
   *
   * @param others the other nodes, of the same trace
   * @param input its input, or null
   * @param options what it is called, and how it is added
   * @return the new node
   * @throws IllegalArgumentException if a node is of another trace, or the options choose an id
   *     that is used
   */
  public TraceNode join(Collection<TraceNode> others, @Nullable Object input, NodeOptions options) {
    List<NodeState> parents = new ArrayList<>(List.of(state));
    for (TraceNode other : Objects.requireNonNull(others, "others")) {
      Objects.requireNonNull(other, "other");
      if (other.engine != engine) {
        throw new IllegalArgumentException(
            "Nodes to join must be of one trace; '"
                + other.id()
                + "' is of trace '"
                + other.engine.id
                + "', not of '"
                + engine.id
                + "'");
      }
      if (!parents.contains(other.state)) {
        parents.add(other.state);
      }
    }
    return add(engine, List.copyOf(parents), List.of(new NodeSpec(input, options))).get(0);
  }

  /** Copies what a caller gave. */
  static List<NodeSpec> listOf(NodeSpec[] specs) {
    List<NodeSpec> copy = new ArrayList<>();
    for (NodeSpec spec : Objects.requireNonNull(specs, "specs")) {
      copy.add(Objects.requireNonNull(spec, "spec"));
    }
    return copy;
  }

  static List<TraceNode> add(
      TraceEngine engine, @Nullable List<NodeState> parents, List<NodeSpec> specs) {
    return add(engine, parents, specs, /* branches= */ false);
  }

  /** Adds the nodes of branches, which only the branches' own run ends. */
  static List<TraceNode> addBranches(
      TraceEngine engine, @Nullable List<NodeState> parents, List<NodeSpec> specs) {
    return add(engine, parents, specs, /* branches= */ true);
  }

  private static List<TraceNode> add(
      TraceEngine engine,
      @Nullable List<NodeState> parents,
      List<NodeSpec> specs,
      boolean branches) {
    if (specs.isEmpty()) {
      throw new IllegalArgumentException("At least one node must be added; there are 0");
    }
    List<TreeCommands.Addition> additions = new ArrayList<>(specs.size());
    for (NodeSpec spec : specs) {
      additions.add(
          new TreeCommands.Addition(
              spec.options(),
              keep(engine, "input", spec.input()),
              keepMap(engine, spec.options().metadata)));
    }
    Instant at = engine.now();
    return engine.change(() -> TreeCommands.add(engine, at, parents, additions, branches)).stream()
        .map(node -> new TraceNode(engine, node))
        .toList();
  }

  /**
   * Starts this node, if it is pending.
   *
   * @return true if this call has started it
   */
  public boolean start() {
    Instant at = engine.now();
    return engine.change(() -> TreeCommands.start(engine, at, state));
  }

  /**
   * Runs work in a node that follows this one. See {@link TraceManager#run}.
   *
   * @param <T> what the work returns
   * @param <X> what the work may throw
   * @param label what to call the node
   * @param body the work
   * @return what the work returned
   * @throws X if the work threw it
   */
  public <T extends @Nullable Object, X extends Exception> T run(String label, NodeBody<T, X> body)
      throws X {
    Objects.requireNonNull(body, "body");
    return add(null, NodeOptions.label(label).keepParentsOpen()).runHere(body);
  }

  /** Runs work in this node; ends it by how the work ends, if nobody has ended it before. */
  <T extends @Nullable Object, X extends Exception> T runHere(NodeBody<T, X> body) throws X {
    T result;
    try {
      result = body.run(this);
    } catch (Throwable thrown) {
      try {
        failBranch(thrown);
      } catch (Throwable ofTrace) {
        suppress(thrown, ofTrace);
      }
      throw thrown;
    }
    try {
      completeBranch(keep(engine, "output", result));
    } catch (TraceClosedException closed) {
      return result; // the work is done, whether or not the trace still wants to know
    } catch (RuntimeException | Error unkept) {
      try {
        failBranch(unkept);
      } catch (Throwable ofTrace) {
        suppress(unkept, ofTrace);
      }
      throw unkept; // a result that cannot be kept
    }
    return result;
  }

  private static void suppress(Throwable thrown, Throwable other) {
    if (thrown != other) {
      thrown.addSuppressed(other);
    }
  }

  // What ends a node that the library itself runs. There is always room for that, since each node
  // ends once; so it waits for no store. A clock that throws does not keep a node open.

  boolean completeBranch(@Nullable Object kept) {
    Instant at = engine.nowInAnyCase();
    return endInAnyCase(
        sequence -> new TraceEvent.NodeComplete(engine.id, sequence, at, state.id, kept));
  }

  boolean failBranch(Throwable error) {
    TraceError kept = TraceError.of(error);
    Instant at = engine.nowInAnyCase();
    return endInAnyCase(
        sequence -> new TraceEvent.NodeFailed(engine.id, sequence, at, state.id, kept));
  }

  void cancelBranch(String reason) {
    Instant at = engine.nowInAnyCase();
    engine.changeInAnyCase(() -> TreeCommands.cancelTree(engine, at, state, reason));
  }

  private boolean endInAnyCase(Function<Long, TraceEvent> event) {
    return state.isOpen() && engine.changeInAnyCase(() -> TreeCommands.end(engine, state, event));
  }

  /**
   * Runs branches side by side, all of which follow this node. See {@link TraceManager#all(List,
   * BranchOptions)}.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @param options the state that they share, the deadline
   * @return how each of them ended, in the same order
   * @throws InterruptedException if the calling thread is interrupted; the branches are cancelled
   */
  public <T extends @Nullable Object> List<BranchResult<T>> all(
      List<Branch<T>> branches, BranchOptions options) throws InterruptedException {
    return new BranchRun<>(engine, List.of(state), branches, options).all();
  }

  /**
   * Runs branches side by side, all of which follow this node, and returns the result of the first
   * that succeeds. See {@link TraceManager#any(List, BranchOptions)}.
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
    return new BranchRun<>(engine, List.of(state), branches, options).any();
  }

  /**
   * Runs branches side by side, all of which follow this node, and returns how the first one ends.
   * See {@link TraceManager#race(List, BranchOptions)}.
   *
   * @param <T> what they return
   * @param branches the branches, at least one
   * @param options the state that they share, the deadline
   * @return how the first one ended
   * @throws InterruptedException if the calling thread is interrupted; the branches are cancelled
   */
  public <T extends @Nullable Object> BranchResult<T> race(
      List<Branch<T>> branches, BranchOptions options) throws InterruptedException {
    return new BranchRun<>(engine, List.of(state), branches, options).race();
  }

  /**
   * Adds a log entry.
   *
   * @param level how much it matters
   * @param message the message, with <code>{}</code> where the arguments go
   * @param arguments the arguments, which are kept as data
   * @return this
   */
  public TraceNode log(LogLevel level, String message, @Nullable Object... arguments) {
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(message, "message");
    List<@Nullable Object> kept = Data.freezeAll("arguments", arguments);
    if (engine.options.redactor != Redactor.none() && !kept.isEmpty()) {
      kept = keepAll(engine, kept);
    }
    engine.log(state.id, level, message, kept);
    return this;
  }

  /**
   * Adds a log entry for whoever looks for a fault.
   *
   * @param message the message, with <code>{}</code> where the arguments go
   * @param arguments the arguments
   * @return this
   */
  public TraceNode debug(String message, @Nullable Object... arguments) {
    return log(LogLevel.DEBUG, message, arguments);
  }

  /**
   * Adds a log entry about the course of things.
   *
   * @param message the message, with <code>{}</code> where the arguments go
   * @param arguments the arguments
   * @return this
   */
  public TraceNode info(String message, @Nullable Object... arguments) {
    return log(LogLevel.INFO, message, arguments);
  }

  /**
   * Adds a log entry about something to look at.
   *
   * @param message the message, with <code>{}</code> where the arguments go
   * @param arguments the arguments
   * @return this
   */
  public TraceNode warn(String message, @Nullable Object... arguments) {
    return log(LogLevel.WARN, message, arguments);
  }

  /**
   * Adds a log entry about something that went wrong. The node goes on.
   *
   * @param message the message, with <code>{}</code> where the arguments go
   * @param arguments the arguments
   * @return this
   */
  public TraceNode error(String message, @Nullable Object... arguments) {
    return log(LogLevel.ERROR, message, arguments);
  }

  /**
   * Sets the output. If the node has ended, nothing changes.
   *
   * @param output the output
   * @return this
   */
  public TraceNode setOutput(Object output) {
    Object kept = keep(engine, "output", Objects.requireNonNull(output, "output"));
    Instant at = engine.now();
    engine.post(() -> TreeCommands.update(engine, at, state, kept, Map.of()));
    return this;
  }

  /**
   * Adds to the metadata. If the node has ended, nothing changes.
   *
   * @param metadata what to add; what has a key that is there replaces it
   * @return this
   */
  public TraceNode setMetadata(Map<String, ? extends @Nullable Object> metadata) {
    Map<String, @Nullable Object> kept = keepMap(engine, Data.freezeMap("metadata", metadata));
    Instant at = engine.now();
    engine.post(() -> TreeCommands.update(engine, at, state, null, kept));
    return this;
  }

  /**
   * Completes this node with the output that it has.
   *
   * @return true if this call has ended it
   */
  public boolean complete() {
    return complete(null);
  }

  /**
   * Completes this node.
   *
   * @param output its output, or null to keep what it has
   * @return true if this call has ended it
   */
  public boolean complete(@Nullable Object output) {
    Object kept = keep(engine, "output", output);
    Instant at = engine.now();
    return end(sequence -> new TraceEvent.NodeComplete(engine.id, sequence, at, state.id, kept));
  }

  /**
   * Fails this node.
   *
   * @param error why; its class and message are kept
   * @return true if this call has ended it
   */
  public boolean fail(Throwable error) {
    TraceError kept = TraceError.of(error);
    Instant at = engine.now();
    return end(sequence -> new TraceEvent.NodeFailed(engine.id, sequence, at, state.id, kept));
  }

  /**
   * Ends this node as not done.
   *
   * @param reason why, or null
   * @return true if this call has ended it
   */
  public boolean skip(@Nullable String reason) {
    Instant at = engine.now();
    return end(sequence -> new TraceEvent.NodeSkipped(engine.id, sequence, at, state.id, reason));
  }

  /**
   * Cancels this node.
   *
   * @param reason why, or null
   * @return true if this call has ended it
   */
  public boolean cancel(@Nullable String reason) {
    Instant at = engine.now();
    return end(sequence -> new TraceEvent.NodeCancelled(engine.id, sequence, at, state.id, reason));
  }

  /**
   * Cancels this node and all that follow it, as far as they have not ended, in one step. A node
   * that also follows others is left alone unless those are cancelled by the same step.
   *
   * @param reason why, or null
   * @return true if this node had not ended
   */
  public boolean cancelTree(@Nullable String reason) {
    Instant at = engine.now();
    return engine.change(() -> TreeCommands.cancelTree(engine, at, state, reason));
  }

  private boolean end(Function<Long, TraceEvent> event) {
    if (!state.isOpen()) {
      return false; // final, so that there is nothing left to decide
    }
    try {
      return engine.change(() -> TreeCommands.end(engine, state, event));
    } catch (TraceClosedException closed) {
      engine.awaitLast();
      if (!state.isOpen()) {
        return false; // by what closed the trace
      }
      throw closed;
    }
  }

  /** Returns a copy of a value that nobody can change, with what must not be kept masked. */
  static @Nullable Object keep(TraceEngine engine, String name, @Nullable Object value) {
    return engine.options.redactor.redactAll(name, name, Data.freeze(name, value));
  }

  @SuppressWarnings("unchecked") // a redactor that keeps the map leaves its keys
  static Map<String, @Nullable Object> keepMap(
      TraceEngine engine, Map<String, @Nullable Object> metadata) {
    Object kept =
        metadata.isEmpty()
            ? metadata
            : engine.options.redactor.redactAll("metadata", "metadata", metadata);
    return kept instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  private static List<@Nullable Object> keepAll(
      TraceEngine engine, List<@Nullable Object> arguments) {
    @Nullable Object[] kept = arguments.toArray();
    for (int i = 0; i < kept.length; i++) {
      kept[i] = engine.options.redactor.redactAll("arguments", "arguments", kept[i]);
    }
    return Data.freezeAll("arguments", kept);
  }

  /** Two handles are equal if they are of the same node. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TraceNode that && state == that.state;
  }

  @Override
  public int hashCode() {
    return state.hashCode();
  }

  @Override
  public String toString() {
    return "TraceNode[" + state.id + ", " + state.label + ", " + state.status() + "]";
  }
}
