package dev.stillframe.trace;

import dev.stillframe.state.StateDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
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

  BranchRun(TraceEngine engine, List<Branch<T>> given, BranchOptions options) {
    this.engine = engine;
    this.options = options;
    List<Branch<T>> branches = List.copyOf(given);
    // The drafts first: should one not be had, nothing has been begun.
    List<StateDraft> drafts =
        options.state == null
            ? List.of()
            : Stream.generate(options.state::draft).limit(branches.size()).toList();
    List<TraceNode> nodes =
        TraceNode.add(engine, null, branches.stream().map(Branch::spec).toList());
    for (int i = 0; i < nodes.size(); i++) {
      StateDraft draft = drafts.isEmpty() ? null : drafts.get(i);
      running.add(new Running(nodes.get(i), draft, branches.get(i).body()));
    }
    open = running.size();
    deadline = options.timeout == null ? null : TraceEngine.deadline(options.timeout);
    running.forEach(Running::begin);
  }

  /** One branch. A future, since that knows how to interrupt its thread and no other. */
  private final class Running extends FutureTask<T> {
    final TraceNode node;
    final @Nullable StateDraft draft;
    private @Nullable BranchResult<T> result;

    Running(TraceNode node, @Nullable StateDraft draft, BranchBody<T> body) {
      super(() -> body.run(new BranchContext(node, draft)));
      this.node = node;
      this.draft = draft;
    }

    void begin() {
      try {
        engine.options.executor.execute(this);
      } catch (Throwable rejected) {
        setException(rejected);
      }
    }

    @Override
    protected void done() {
      ended.add(this);
      engine.wakeAll();
    }

    /** Decides how it has ended. */
    BranchResult<T> decide() {
      BranchResult<T> decided;
      try {
        decided = success(get());
      } catch (ExecutionException failed) {
        Throwable cause = failed.getCause();
        decided = failure(cause == null ? failed : cause);
      } catch (InterruptedException | CancellationException unexpected) {
        decided = failure(unexpected);
      }
      result = decided;
      open--;
      return decided;
    }

    private BranchResult<T> success(T value) {
      try {
        Object output = TraceNode.keep(engine, "output", value); // may throw: before the commit
        if (draft != null) {
          requireWanted();
          commit(draft);
        }
        complete(output);
      } catch (RuntimeException | Error thrown) {
        return failure(thrown); // a conflict, or a value that cannot be kept
      }
      return new BranchResult<>(node.id(), node.label(), value, null);
    }

    /**
     * The commit decides, and what it has decided stands: a draft is in if, and only if, the result
     * is a success. If the trace or the node has ended before it, nothing is committed. If the
     * trace ends after it and before the node is completed, only the node shows that.
     */
    private void requireWanted() {
      if (engine.isClosed()) {
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

    private void complete(@Nullable Object output) {
      try {
        node.complete(output);
      } catch (TraceClosedException closed) {
        // released meanwhile; the draft is in
      }
    }

    private BranchResult<T> failure(Throwable failure) {
      try {
        node.fail(failure);
      } catch (TraceClosedException closed) {
        if (closed != failure) {
          failure.addSuppressed(closed);
        }
      }
      return new BranchResult<>(node.id(), node.label(), null, failure);
    }

    /** Gives it up, with all that follows its node, unless it has a result. */
    void giveUp(String why) {
      if (result != null) {
        return;
      }
      result = new BranchResult<>(node.id(), node.label(), null, new CancellationException(why));
      open--;
      cancel(/* mayInterruptIfRunning= */ true);
      try {
        node.cancelTree(why);
      } catch (TraceClosedException closed) {
        // whatever closed the trace has dealt with its nodes
      }
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

  private void giveUpRest(String why) {
    running.forEach(one -> one.giveUp(why));
  }
}
