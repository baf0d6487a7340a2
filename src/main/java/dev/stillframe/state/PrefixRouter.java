package dev.stillframe.state;

/** Goes by the prefix of a key: the first in the list that fits; without one it is an own key. */
final class PrefixRouter implements ScopeRouter {
  private final ConcurrentSessionState own;
  private final String[] prefixes;
  private final ConcurrentSessionState[] shared;

  /** Takes over the arrays, which belong together. */
  PrefixRouter(ConcurrentSessionState own, String[] prefixes, ConcurrentSessionState[] shared) {
    this.own = own;
    this.prefixes = prefixes;
    this.shared = shared;
  }

  @Override
  public ConcurrentSessionState scopeOf(String key) {
    for (int i = 0; i < prefixes.length; i++) {
      if (key.startsWith(prefixes[i])) {
        if (key.length() == prefixes[i].length()) {
          throw new IllegalArgumentException(
              "A state key must have a name after its prefix; it is '" + key + "'");
        }
        return shared[i];
      }
    }
    return own;
  }
}
