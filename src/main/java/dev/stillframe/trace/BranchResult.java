package dev.stillframe.trace;

import org.jspecify.annotations.Nullable;

/**
 * How a branch ended.
 *
 * @param <T> what it returns
 * @param nodeId its node
 * @param label the label of its node
 * @param value what it returned; null also if it has failed
 * @param failure what it threw, or null if it has succeeded; a {@link
 *     java.util.concurrent.CancellationException} if it was cancelled
 */
public record BranchResult<T extends @Nullable Object>(
    String nodeId, String label, @Nullable T value, @Nullable Throwable failure) {

  /**
   * Tells whether the branch has succeeded.
   *
   * @return true if there is a value
   */
  public boolean isSuccess() {
    return failure == null;
  }

  /**
   * Returns what the branch returned.
   *
   * @return the value
   * @throws BranchException if the branch has failed; it names the branch
   */
  @SuppressWarnings("NullAway") // T says whether the value may be null
  public T get() {
    if (failure != null) {
      throw new BranchException(java.util.List.of(this));
    }
    return value;
  }
}
