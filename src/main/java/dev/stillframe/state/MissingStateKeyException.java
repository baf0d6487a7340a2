package dev.stillframe.state;

import dev.stillframe.StillframeException;

/** Thrown when a key that has to be there is absent. */
public final class MissingStateKeyException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The absent key. */
  private final String key;

  MissingStateKeyException(String key) {
    super("A required state key is absent: '" + key + "'");
    this.key = key;
  }

  /**
   * Returns the key that is absent.
   *
   * @return the key
   */
  public String key() {
    return key;
  }
}
