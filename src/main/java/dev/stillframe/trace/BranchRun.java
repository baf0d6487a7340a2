package dev.stillframe.trace;

import dev.stillframe.state.StateDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Branches that run side by side, and the thread that waits for them. Whatever there is to decide
 * is decided by that one thread, in the order in which it hears of ends: which branch has won,
 * whose draft is committed, how a node ends. The branches themselves do nothing but run and report.
 */
final class BranchRun<T extends @Nullable Object> {
  private final TraceEngine engine;
  private final BranchOptions options;
  private final List<Running> running = new ArrayList<>();
  private final @Nullable Long deadline;

  /** Branches that have ended, in order. Filled by them, emptied by the waiting thread. */
  private final Queue<Running> ended = new ConcurrentLinkedQueue<>();

  /** The waiting thread's: how many have no result. */
  private int open;

  /**
   * Starts the branches.
   *
   * @param parents the nodes that they follow, or null for the current ones
   */
  BranchRun(
      TraceEngine engine,
      @Nullable List<NodeState> parents,
      List<Branch<T>> given,
      BranchOptions options) {
    this.engine = engine;
    this.options = Objects.requireNonNull(options, "options");
    List<Branch<T>> branches = new ArrayList<>(Objects.requireNonNull(given, "branches"));
    branches.forEach(branch -> Objects.requireNonNull(branch, "branch"));
    // The drafts first: should one not be had, nothing has been begun.
    List<StateDraft> drafts =
        options.state == null
            ? List.of()
            : Stream.generate(options.state::draft).limit(branches.size()).toList();
    List<TraceNode> nodes =
        TraceNode.addBranches(engine, parents, branches.stream().map(Branch::spec).toList());
    for (int i = 0; i < nodes.size(); i++) {
      StateDraft draft = drafts.isEmpty() ? null : drafts.get(i);
      running.add(new Running(nodes.get(i), draft, branches.get(i).body()));
    }
    open = running.size();
    deadline = options.timeout == null ? null : TraceEngine.deadline(options.timeout);
    running.forEach(Running::begin);
  }

  /** One branch. A future, since that knows how to interrupt its thread and no other. */
  private final class Running extends FutureTask<@Nullable Void> {
    final TraceNode node;
    final @Nullable StateDraft draft;
    private final Outcome<T> outcome;
    private @Nullable BranchResult<T> result;

    Running(TraceNode node, @Nullable StateDraft draft, BranchBody<T> body) {
      this(node, draft, new Outcome<>(body, new BranchContext(node, draft)));
    }

    private Running(TraceNode node, @Nullable StateDraft draft, Outcome<T> outcome) {
      super(outcome, null);
      this.node = node;
      this.draft = draft;
      this.outcome = outcome;
    }

    void begin() {
      try {
        engine.options.executor.execute(this);
      } catch (Throwable rejected) {
        outcome.thrown = rejected;
        setException(rejected);
      }
    }

    @Override
    protected void done() {
      ended.add(this);
      engine.wakeAll();
    }

    /** Decides how it has ended. Throws nothing: whatever goes wrong is a failure of the branch. */
    BranchResult<T> decide() {
      Throwable thrown = outcome.thrown;
      BranchResult<T> decided = thrown == null ? success() : failure(thrown);
      result = decided;
      open--;
      return decided;
    }

    @SuppressWarnings("NullAway") // T says whether the value may be null
    private BranchResult<T> success() {
      T value = outcome.value;
      Object output;
      try {
        output = TraceNode.keep(engine, "output", value);
        requireWanted();
        if (draft != null) {
          commit(draft);
        }
      } catch (Throwable thrown) {
        return failure(thrown); // a conflict, or a value that cannot be kept
      }
      quietly(() -> node.completeBranch(output)); // whatever comes of that: the draft is in
      return new BranchResult<>(node.id(), node.label(), value, null);
    }

    /**
     * The commit decides, and what it has decided stands: a draft is in if, and only if, the result
     * is a success. If the trace has been closed before it, nothing is committed; a branch whose
     * node somebody else has ended, other than as completed, is no success. If the trace ends after
     * it and before the node is completed, only the node shows that.
     */
    private void requireWanted() {
      if (draft != null && engine.isClosed()) {
        throw cancelled("trace '" + engine.id + "' is closed", engine.closedException());
      }
      NodeStatus status = node.status();
      if (status.isFinal() && status != NodeStatus.COMPLETED) {
        throw cancelled("node '" + node.id() + "' had been ended as " + status, null);
      }
    }

    private CancellationException cancelled(String why, @Nullable Throwable cause) {
      CancellationException cancelled = new CancellationException(why);
      if (cause != null) {
        cancelled.initCause(cause);
      }
      return cancelled;
    }

    private void commit(StateDraft ready) {
      if (options.merge == null) {
        ready.commit();
      } else {
        ready.commit(options.merge);
      }
    }

    private BranchResult<T> failure(Throwable failure) {
      quietly(() -> node.failBranch(failure));
      return new BranchResult<>(node.id(), node.label(), null, failure);
    }

    /** Gives it up, unless it has a result. Returns whether it had none. */
    boolean giveUp(String why) {
      if (result != null) {
        return false;
      }
      result = new BranchResult<>(node.id(), node.label(), null, new CancellationException(why));
      open--;
      return true;
    }

    BranchResult<T> result() {
      return Objects.requireNonNull(result, "result");
    }
  }

  List<BranchResult<T>> all() throws InterruptedException {
    while (open > 0) {
      Running next = awaitNext();
      if (next == null) {
        break;
      }
      next.decide();
    }
    return running.stream().map(Running::result).toList();
  }

  BranchResult<T> any() throws InterruptedException {
    while (open > 0) {
      Running next = awaitNext();
      if (next == null) {
        break;
      }
      BranchResult<T> result = next.decide();
      if (result.isSuccess()) {
        giveUpRest("'" + result.label() + "' has succeeded first");
        return result;
      }
    }
    throw new BranchException(running.stream().map(Running::result).toList());
  }

  BranchResult<T> race() throws InterruptedException {
    Running next = awaitNext();
    if (next == null) {
      return running.get(0).result();
    }
    BranchResult<T> result = next.decide();
    giveUpRest("'" + result.label() + "' has ended first");
    return result;
  }

  /** Returns the next that has ended; or null, and then the rest is given up. */
  private @Nullable Running awaitNext() throws InterruptedException {
    boolean heard =
        engine.awaitUnlessInterrupted(() -> !ended.isEmpty() || engine.isClosed(), deadline);
    Running next = ended.poll();
    if (next != null) {
      return next;
    }
    if (Thread.interrupted()) {
      giveUpRest("the thread that waits for the branches was interrupted");
      throw new InterruptedException(
          "A thread must not be interrupted while it waits for branches of trace '"
              + engine.id
              + "'");
    }
    giveUpRest(
        heard
            ? "trace '" + engine.id + "' is closed"
            : "the branches have not ended within " + options.timeout);
    return null;
  }

  /**
   * Cancels the nodes of all that are left and then interrupts them, so that what they do about it
   * comes too late. Neither waits for room or for the store.
   */
  private void giveUpRest(String why) {
    List<Running> rest = running.stream().filter(one -> one.giveUp(why)).toList();
    rest.forEach(one -> quietly(() -> one.node.cancelBranch(why)));
    rest.forEach(one -> one.cancel(/* mayInterruptIfRunning= */ true));
  }

  /**
   * Ends a node. What that throws changes no result: the trace may be closed, which has dealt with
   * its nodes.
   */
  private void quietly(Runnable ending) {
    try {
      ending.run();
    } catch (TraceClosedException closed) {
      // as said
    } catch (Throwable thrown) {
      engine.branchEndingFailed(thrown);
    }
  }

  /** What the body of a branch has come to; written by its thread before it reports the end. */
  private static final class Outcome<T extends @Nullable Object> implements Runnable {
    private final BranchBody<T> body;
    private final BranchContext context;
    @Nullable T value;
    @Nullable Throwable thrown;

    Outcome(BranchBody<T> body, BranchContext context) {
      this.body = body;
      this.context = context;
    }

    @Override
    public void run() {
      try {
        value = body.run(context);
      } catch (Throwable any) {
        thrown = any; // kept here, since FutureTask would ask it for its text
      }
    }
  }
}
