package dev.stillframe.trace;

import org.jspecify.annotations.Nullable;

/**
 * The work of a branch.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface BranchBody<T extends @Nullable Object> {

  /**
   * Does the work, on a thread of the trace's executor. If the branch is cancelled, that thread is
   * interrupted, and whatever this returns or throws later is ignored.
   *
   * @param context the branch's node and state
   * @return its result
   * @throws Exception if it fails
   */
  T run(BranchContext context) throws Exception;
}
