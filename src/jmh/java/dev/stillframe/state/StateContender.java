package dev.stillframe.state;

import org.jspecify.annotations.Nullable;

/**
 * A state as the benchmarks see it. Each fork creates one kind of it, so that these calls are
 * monomorphic and cost every {@link Contender} the same.
 */
interface StateContender {
  @Nullable Object get(String key);

  /** Returns the value that was there before. */
  @Nullable Object set(String key, Object value);

  /** Returns a picture that later writes do not change. */
  Object snapshot();
}
