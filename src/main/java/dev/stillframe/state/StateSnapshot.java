package dev.stillframe.state;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a state at one instant: its entries, in no particular order. It is immutable, keeps
 * no hold on the state, and may be read by any number of threads; changing it through an iterator
 * or the map throws {@link UnsupportedOperationException}. Arrays are copied as they are read.
 *
 * <p>Two snapshots are equal if their entries are, whatever their versions.
 */
public final class StateSnapshot implements Iterable<Map.Entry<String, Object>> {
  private final Map<String, Object> stored;
  private final long version;

  /** Takes over a map of stored values. */
  StateSnapshot(Map<String, Object> stored, long version) {
    this.stored = stored;
    this.version = version;
  }

  /**
   * Returns the value that a key had.
   *
   * @param key the key
   * @return its value, or null if it was absent
   */
  public @Nullable Object get(String key) {
    return Values.thawNullable(stored(key));
  }

  /**
   * Returns the value that a typed key had.
   *
   * @param <T> the type of the value
   * @param key the key
   * @return its value, or null if it was absent
   * @throws ClassCastException if the value is of another type; the message names key and types
   */
  public <T> @Nullable T get(StateKey<T> key) {
    return key.cast(get(key.name()));
  }

  /**
   * Returns the value of a key that has to be there.
   *
   * @param key the key
   * @return its value
   * @throws MissingStateKeyException if the key was absent
   */
  public Object require(String key) {
    Object value = get(key);
    if (value == null) {
      throw new MissingStateKeyException(key);
    }
    return value;
  }

  /**
   * Returns the value of a typed key that has to be there.
   *
   * @param <T> the type of the value
   * @param key the key
   * @return its value
   * @throws MissingStateKeyException if the key was absent
   * @throws ClassCastException if the value is of another type; the message names key and types
   */
  public <T> T require(StateKey<T> key) {
    T value = get(key);
    if (value == null) {
      throw new MissingStateKeyException(key.name());
    }
    return value;
  }

  /**
   * Tells whether a key was there.
   *
   * @param key the key
   * @return true if it had a value
   */
  public boolean contains(String key) {
    return stored(key) != null;
  }

  /**
   * Counts the keys.
   *
   * @return the number of entries
   */
  public int size() {
    return stored.size();
  }

  /**
   * Returns the entries as a map.
   *
   * @return an unmodifiable view
   */
  public Map<String, Object> asMap() {
    return new ThawingMap<>(stored);
  }

  /**
   * Streams the entries.
   *
   * @return a sequential stream
   */
  public Stream<Map.Entry<String, Object>> stream() {
    return asMap().entrySet().stream();
  }

  @Override
  public Iterator<Map.Entry<String, Object>> iterator() {
    return asMap().entrySet().iterator();
  }

  /**
   * Returns the number of this snapshot. Of two snapshots of one state, the one with the higher
   * number is the later one; equal numbers mean the same content. What lies between two numbers
   * means nothing.
   *
   * @return the number, positive
   */
  public long version() {
    return version;
  }

  /**
   * Returns what has changed since another snapshot: applied to a state that holds {@code older},
   * it makes it hold this one.
   *
   * @param older the snapshot to start from, usually an earlier one of the same state
   * @return the changes, empty if there are none
   * @throws IllegalArgumentException if a value of a state that stores by reference is nested too
   *     deeply, see {@link SessionState}
   */
  public StateDelta deltaFrom(StateSnapshot older) {
    Objects.requireNonNull(older, "older");
    Map<String, @Nullable Object> changes = new LinkedHashMap<>();
    for (String key : older.stored.keySet()) {
      if (!stored.containsKey(key)) {
        changes.put(key, null);
      }
    }
    stored.forEach(
        (key, value) -> {
          if (!Values.equal(value, older.stored.get(key))) {
            changes.put(key, Values.freeze(key, value));
          }
        });
    return new StateDelta(changes);
  }

  @Nullable Object stored(String key) {
    return stored.get(Objects.requireNonNull(key, "key"));
  }

  Map<String, Object> storedMap() {
    return stored;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StateSnapshot that && stored.equals(that.stored);
  }

  @Override
  public int hashCode() {
    return stored.hashCode();
  }

  @Override
  public String toString() {
    return stored.toString();
  }
}
