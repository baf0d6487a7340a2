package dev.stillframe.state;

import dev.stillframe.StillframeException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Thrown when a draft cannot be committed because keys that it read or wrote have changed since it
 * was started. Nothing of it was stored.
 */
public final class StateConflictException extends StillframeException {
  private static final long serialVersionUID = 1L;

  /** The keys, sorted. */
  private final TreeSet<String> keys;

  StateConflictException(Set<String> keys) {
    super("State keys that the draft read or wrote have changed since it was started: " + keys);
    this.keys = new TreeSet<>(keys);
  }

  /**
   * Returns the keys that have changed.
   *
   * @return the keys, sorted, unmodifiable
   */
  public Set<String> keys() {
    return Collections.unmodifiableSet(keys);
  }
}
