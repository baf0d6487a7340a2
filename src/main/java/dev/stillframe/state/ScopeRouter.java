package dev.stillframe.state;

/** Says which state holds a key. */
@FunctionalInterface
interface ScopeRouter {

  /**
   * Returns the state that holds a key, always the same one.
   *
   * @throws IllegalArgumentException if none does
   */
  ConcurrentSessionState scopeOf(String key);
}
