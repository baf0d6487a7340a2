package dev.stillframe.trace;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDraft;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How branches run. Immutable; each method returns a changed copy. */
public final class BranchOptions {
  private static final BranchOptions DEFAULTS = new BranchOptions(null, null, null);

  final @Nullable SessionState state;
  final StateDraft.@Nullable Merge merge;
  final @Nullable Duration timeout;

  private BranchOptions(
      @Nullable SessionState state, StateDraft.@Nullable Merge merge, @Nullable Duration timeout) {
    this.state = state;
    this.merge = merge;
    this.timeout = timeout;
  }

  /**
   * Returns the defaults: no shared state, no deadline.
   *
   * @return the defaults
   */
  public static BranchOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Gives each branch a draft of a state, which is committed when the branch has succeeded. If a
   * key that it read or wrote has changed meanwhile, the branch has failed, with a {@link
   * dev.stillframe.state.StateConflictException}, and its draft is dropped. If the trace was closed
   * before that, or the branch's node ended other than completed, its draft is dropped, too, and
   * the branch has failed. So what a branch wrote is in the state if, and only if, its result is a
   * success. Should the trace be closed after the commit and before the node is completed, the
   * result is a success, and the node shows how the trace ended.
   *
   * @param state the state
   * @return a changed copy
   */
  public BranchOptions state(SessionState state) {
    return new BranchOptions(Objects.requireNonNull(state, "state"), null, timeout);
  }

  /**
   * Gives each branch a draft of a state, which is committed when the branch has succeeded. Keys
   * that have changed meanwhile are settled by a function.
   *
   * @param state the state
   * @param merge settles one key; it runs on the thread that waits for the branches
   * @return a changed copy
   */
  public BranchOptions state(SessionState state, StateDraft.Merge merge) {
    Objects.requireNonNull(merge, "merge");
    return new BranchOptions(Objects.requireNonNull(state, "state"), merge, timeout);
  }

  /**
   * Bounds how long the branches may run. Default: no bound.
   *
   * @param timeout the bound
   * @return a changed copy
   * @throws IllegalArgumentException if it is negative
   */
  public BranchOptions timeout(Duration timeout) {
    if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative; it is " + timeout);
    }
    return new BranchOptions(state, merge, timeout);
  }
}
