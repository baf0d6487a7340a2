package dev.stillframe.trace;

import org.jspecify.annotations.Nullable;

/**
 * Work that is done in a node.
 *
 * @param <T> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface NodeBody<T extends @Nullable Object, X extends Exception> {

  /**
   * Does the work.
   *
   * @param node the node that it is done in
   * @return its result
   * @throws X if it fails
   */
  T run(TraceNode node) throws X;
}
