package dev.stillframe.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes to a state: keys to set and keys to remove, to be {@linkplain SessionState#apply applied}
 * at one instant. It is immutable: collections and arrays are copied, deeply, as they are put in,
 * and arrays as they are read. Two deltas are equal if they set the same keys to equal values and
 * remove the same keys.
 */
public final class StateDelta {
  private static final StateDelta EMPTY = new StateDelta(Map.of());

  /** Stored values by key; null means that the key is removed. */
  private final Map<String, @Nullable Object> changes;

  /** Takes over a map of stored values. */
  StateDelta(Map<String, @Nullable Object> changes) {
    this.changes = changes;
  }

  /**
   * Returns the delta that changes nothing.
   *
   * @return an empty delta
   */
  public static StateDelta empty() {
    return EMPTY;
  }

  /**
   * Returns the delta that sets one key.
   *
   * @param key the key
   * @param value its new value; null is refused
   * @return the delta
   * @throws IllegalArgumentException if the value is nested too deeply, see {@link SessionState}
   */
  public static StateDelta of(String key, Object value) {
    return new StateDelta(
        Collections.singletonMap(
            key, Values.freeze(key, AbstractSessionState.requireValue(key, value))));
  }

  /**
   * Starts a delta.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads a delta from a map in which null means that a key is removed, as in a JSON merge patch
   * (RFC 7396, on the first level).
   *
   * @param map values by key; not kept
   * @return the delta
   * @throws IllegalArgumentException if a value is nested too deeply, see {@link SessionState}
   */
  public static StateDelta fromMap(Map<String, ? extends @Nullable Object> map) {
    Objects.requireNonNull(map, "map");
    Builder builder = builder();
    map.forEach(
        (key, value) -> {
          if (value == null) {
            builder.remove(key);
          } else {
            builder.set(key, value);
          }
        });
    return builder.build();
  }

  /**
   * Tells whether this delta changes nothing.
   *
   * @return true if it neither sets nor removes a key
   */
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /**
   * Returns the keys that are set or removed, in the order they were given.
   *
   * @return an unmodifiable view
   */
  public Set<String> keys() {
    return Collections.unmodifiableSet(changes.keySet());
  }

  /**
   * Returns the changes as a map, in the order they were given, in which null means that a key is
   * removed. {@link #fromMap} reads it back.
   *
   * @return an unmodifiable view
   */
  public Map<String, @Nullable Object> asMap() {
    return new ThawingMap<>(changes);
  }

  /**
   * Returns the delta that makes the changes of this one and then those of another: for a key that
   * both change, the other decides.
   *
   * @param other what comes after
   * @return the two as one
   */
  public StateDelta then(StateDelta other) {
    Objects.requireNonNull(other, "other");
    Map<String, @Nullable Object> both = new LinkedHashMap<>(changes);
    both.putAll(other.changes);
    return new StateDelta(both);
  }

  /**
   * Returns the delta that undoes this one: applied after this one to a state that held the
   * snapshot, it makes it hold the snapshot again.
   *
   * @param snapshot what the state held before this delta
   * @return the changes that lead back
   * @throws IllegalArgumentException if a value of a state that stores by reference is nested too
   *     deeply, see {@link SessionState}
   */
  public StateDelta inverseOn(StateSnapshot snapshot) {
    Objects.requireNonNull(snapshot, "snapshot");
    Map<String, @Nullable Object> back = new LinkedHashMap<>();
    for (String key : changes.keySet()) {
      Object before = snapshot.stored(key);
      back.put(key, before == null ? null : Values.freeze(key, before));
    }
    return new StateDelta(back);
  }

  Map<String, @Nullable Object> stored() {
    return changes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StateDelta that && changes.equals(that.changes);
  }

  @Override
  public int hashCode() {
    return changes.hashCode();
  }

  /** Returns the changes as a map's text, in which null stands for a removal. */
  @Override
  public String toString() {
    return changes.toString();
  }

  /**
   * Collects changes. Of several changes to one key the last one counts. A builder belongs to one
   * thread; it may be reused, and what was built does not change with it.
   */
  public static final class Builder {
    private Map<String, @Nullable Object> changes = new LinkedHashMap<>();

    /** Whether a delta has taken the map over; then it is copied before it changes. */
    private boolean taken;

    private Builder() {}

    private Map<String, @Nullable Object> changing() {
      if (taken) {
        changes = new LinkedHashMap<>(changes);
        taken = false;
      }
      return changes;
    }

    /**
     * Sets a key.
     *
     * @param key the key
     * @param value its new value; null is refused, use {@link #remove}
     * @return this
     * @throws IllegalArgumentException if the value is nested too deeply, see {@link SessionState}
     */
    public Builder set(String key, Object value) {
      Object stored = Values.freeze(key, AbstractSessionState.requireValue(key, value));
      changing().put(key, stored);
      return this;
    }

    /**
     * Sets a typed key.
     *
     * @param <T> the type of the value
     * @param key the key
     * @param value its new value
     * @return this
     * @throws IllegalArgumentException if the value is nested too deeply, see {@link SessionState}
     */
    public <T> Builder set(StateKey<T> key, T value) {
      return set(key.name(), key.storable(value));
    }

    /**
     * Removes a key, if it is there when the delta is applied.
     *
     * @param key the key
     * @return this
     */
    public Builder remove(String key) {
      changing().put(Objects.requireNonNull(key, "key"), null);
      return this;
    }

    /**
     * Creates the delta.
     *
     * @return the changes so far
     */
    public StateDelta build() {
      taken = true;
      return new StateDelta(changes);
    }
  }
}
