package dev.stillframe.trace;

import dev.stillframe.state.StateDraft;
import org.jspecify.annotations.Nullable;

/** What a branch works with. */
public final class BranchContext {
  private final TraceNode node;
  private final @Nullable StateDraft state;

  BranchContext(TraceNode node, @Nullable StateDraft state) {
    this.node = node;
    this.state = state;
  }

  /**
   * Returns the branch's node.
   *
   * @return the node, which runs
   */
  public TraceNode node() {
    return node;
  }

  /**
   * Returns the branch's own draft of the shared state. It is committed when the branch has
   * succeeded, and dropped if it fails or is cancelled.
   *
   * @return the draft
   * @throws IllegalStateException if the options name no shared state
   */
  public StateDraft state() {
    if (state == null) {
      throw new IllegalStateException(
          "Branches must be given a state to have a draft of it; that of node '"
              + node.id()
              + "' was given none");
    }
    return state;
  }
}
