package dev.stillframe.state;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of a session: values by key, read and written by any number of threads.
 *
 * <pre>{@code
 * SessionState state = SessionState.create();
 * state.set("step", "planning");
 * state.update("attempts", old -> old == null ? 1 : (Integer) old + 1);
 * state.apply(StateDelta.builder().set("from", 900).set("to", 1100).remove("pending").build());
 * for (Map.Entry<String, Object> entry : state.all()) {
 *   send(entry.getKey(), entry.getValue());
 * }
 * }</pre>
 *
 * <p><b>Atomicity.</b> Every operation, those over several keys included, takes effect at one
 * instant between its call and its return. Two writes in one order are never seen in the other, and
 * nobody sees a part of {@link #apply} or {@link #clear}. A state over a foreign map ({@link
 * #over}) promises this for single keys only.
 *
 * <p><b>Who waits.</b> Reading a key never waits. Snapshots never wait for writers, nor writers for
 * snapshots. A write waits only for an {@link #apply} of the same key, or a {@link
 * StateDraft#commit() commit} of a draft that wrote or read it, which is being put in place and
 * runs no user code meanwhile. Functions passed in run in the calling thread, outside any lock;
 * they may use this state, and may run more than once.
 *
 * <p><b>Values.</b> Lists, maps, sets and other collections are copied, deeply, into unmodifiable
 * lists, maps and sets as they are stored; they keep their iteration order and may hold nulls, but
 * not a comparator of their own. Arrays are copied on the way in and on the way out. So nobody
 * changes what is stored other than by writing it. A collection that came out of a state is such a
 * copy already, and is not copied again. Other objects, a map's entries among them, are held as
 * they are and should be immutable. Nesting deeper than 500 levels, a collection that contains
 * itself, or an array that cannot hold the copies of its elements (an {@code ArrayList[]}) is
 * refused with {@link IllegalArgumentException}. {@link Builder#valuesByReference()} turns the
 * copying off.
 *
 * <p><b>Null</b> is not a value: a key is either there, with a value, or absent. Writing null is
 * refused with {@link NullPointerException}, except where this page says that it removes. Refused
 * input changes nothing, and neither does a function that throws: what it threw reaches the caller.
 *
 * <p>Keys are any text, compared exactly.
 */
public interface SessionState {

  /**
   * Creates an empty state that copies collections and arrays.
   *
   * @return a new state
   */
  static SessionState create() {
    return builder().build();
  }

  /**
   * Starts a state with options.
   *
   * @return a new builder with the defaults of {@link #create()}
   */
  static Builder builder() {
    return new Builder();
  }

  /**
   * Puts this interface over a map that the caller brings, such as one that a data grid shares
   * between machines. The map remains the only store; anybody may go on using it directly.
   *
   * <p>Only the map's atomic single-key operations are used ({@code get}, {@code put}, {@code
   * putIfAbsent}, {@code replace}, {@code remove}, and its iterator). What holds: each operation on
   * one key is as atomic as the map makes it, {@link #update} loses nothing as long as the map can
   * tell two values apart (most compare them by {@code equals} or by their bytes), values are
   * copied, and nulls are treated as everywhere. What becomes the engine's: {@link #all()} and what
   * is derived from it ({@link #keys()}, {@link #size()}) is a new copy that is as consistent as
   * the map's iterator; {@link #apply}, {@link #clear()} and a draft's commit write one key after
   * the other, in key order, so that others may see a part of them, a draft misses what changes
   * while it is being committed, and an exception of the map may leave a part of them done. Whether
   * a call waits is the map's affair too.
   *
   * @param map the map that holds the values; it must not accept null values
   * @return a state that reads and writes {@code map}
   */
  static SessionState over(ConcurrentMap<String, Object> map) {
    return new MapBackedState(map);
  }

  /**
   * Creates a view of a state whose writes, those of its drafts included, pass through a gate.
   * Reading it is reading the state. The gate is for whoever uses the view: what is written to the
   * state itself does not pass it.
   *
   * @param state a state of {@link #create()} or of a {@link #builder()}
   * @param gate makes the writes, or refuses them
   * @return the view
   * @throws IllegalArgumentException if it is another one
   */
  static SessionState gated(SessionState state, WriteGate gate) {
    Objects.requireNonNull(gate, "gate");
    if (state instanceof ConcurrentSessionState own) {
      return new GatedState(own, gate);
    }
    throw new IllegalArgumentException(
        "A state must be one of SessionState.create() or of a builder to be gated; it is a "
            + state.getClass().getName());
  }

  /**
   * Returns the value of a key.
   *
   * @param key the key
   * @return its value, or null if it is absent
   */
  @Nullable Object get(String key);

  /**
   * Returns the value of a typed key.
   *
   * @param <T> the type of the value
   * @param key the key
   * @return its value, or null if it is absent
   * @throws ClassCastException if the value is of another type; the message names key and types
   */
  default <T> @Nullable T get(StateKey<T> key) {
    return key.cast(get(key.name()));
  }

  /**
   * Returns the value of a key that has to be there.
   *
   * @param key the key
   * @return its value
   * @throws MissingStateKeyException if the key is absent
   */
  default Object require(String key) {
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
   * @throws MissingStateKeyException if the key is absent
   * @throws ClassCastException if the value is of another type; the message names key and types
   */
  default <T> T require(StateKey<T> key) {
    T value = get(key);
    if (value == null) {
      throw new MissingStateKeyException(key.name());
    }
    return value;
  }

  /**
   * Returns the value of a key, or a default.
   *
   * @param key the key
   * @param defaultValue what to return if the key is absent; it is not stored
   * @return the value of the key, or {@code defaultValue}
   */
  default Object getOrDefault(String key, Object defaultValue) {
    Objects.requireNonNull(defaultValue, "defaultValue");
    Object value = get(key);
    return value == null ? defaultValue : value;
  }

  /**
   * Returns the value of a typed key, or a default.
   *
   * @param <T> the type of the value
   * @param key the key
   * @param defaultValue what to return if the key is absent; it is not stored
   * @return the value of the key, or {@code defaultValue}
   * @throws ClassCastException if the value is of another type; the message names key and types
   */
  default <T> T getOrDefault(StateKey<T> key, T defaultValue) {
    Objects.requireNonNull(defaultValue, "defaultValue");
    T value = get(key);
    return value == null ? defaultValue : value;
  }

  /**
   * Tells whether a key is there.
   *
   * @param key the key
   * @return true if it has a value
   */
  default boolean contains(String key) {
    return get(key) != null;
  }

  /**
   * Counts the keys, as {@code all().size()} does and at the same cost.
   *
   * @return the number of keys at one instant
   */
  default int size() {
    return all().size();
  }

  /**
   * Returns the keys, as {@code all()} does and at the same cost.
   *
   * @return the keys at one instant, unmodifiable
   */
  default Set<String> keys() {
    return all().asMap().keySet();
  }

  /**
   * Sets a key.
   *
   * @param key the key
   * @param value its new value; null is refused, use {@link #remove(String)}
   * @return the value that was there, or null if the key was absent
   */
  @Nullable Object set(String key, Object value);

  /**
   * Sets a typed key.
   *
   * @param <T> the type of the value
   * @param key the key
   * @param value its new value
   * @return the value that was there, or null if the key was absent
   * @throws ClassCastException if the value, as it is stored, could not be read by this key, see
   *     {@link StateKey}; the message names key and types, nothing has changed
   */
  default <T> @Nullable Object set(StateKey<T> key, T value) {
    return set(key.name(), key.storable(value));
  }

  /**
   * Sets a key unless it is there.
   *
   * @param key the key
   * @param value its value if it is absent
   * @return the value that is there, untouched, or null if the key was absent and is now set
   */
  @Nullable Object setIfAbsent(String key, Object value);

  /**
   * Returns the value of a key, computing and setting it if it is absent. Threads that race may
   * each compute one; one of the results is kept and all of them return it.
   *
   * @param key the key
   * @param function computes the value from the key; null leaves the key absent
   * @return the value that is there now, or null if the function returned null
   */
  @Nullable Object computeIfAbsent(
      String key, Function<? super String, ? extends @Nullable Object> function);

  /**
   * Replaces the value of a key if it is the expected one.
   *
   * @param key the key
   * @param expected the value that must be there, compared as {@link java.util.Objects#deepEquals}
   *     does
   * @param value its new value
   * @return true if it was replaced
   */
  boolean replace(String key, Object expected, Object value);

  /**
   * Changes a key by a function of its value. No change is lost: if the key changes while the
   * function runs, the function runs again with the new value.
   *
   * <p>The function may use this state. If it writes the key itself, that write takes effect, and
   * the function runs again; if it still does so after 100 runs, that is refused, since there would
   * be no end to it.
   *
   * @param key the key
   * @param function computes the new value from the old one (null if the key is absent); null
   *     removes the key
   * @return the new value, or null if the key is absent now
   * @throws IllegalStateException if the function goes on writing the key itself
   */
  @Nullable Object update(String key, UnaryOperator<@Nullable Object> function);

  /**
   * Changes a typed key by a function of its value, as {@link #update(String, UnaryOperator)} does.
   *
   * @param <T> the type of the value
   * @param key the key
   * @param function computes the new value from the old one (null if the key is absent); null
   *     removes the key
   * @return the new value, or null if the key is absent now
   * @throws ClassCastException if the old value is of another type, or the new one could not be
   *     read by this key, see {@link StateKey}; the message names key and types, nothing has
   *     changed
   */
  default <T> @Nullable T update(StateKey<T> key, UnaryOperator<@Nullable T> function) {
    Objects.requireNonNull(function, "function");
    return key.cast(
        update(
            key.name(),
            old -> {
              T value = function.apply(key.cast(old));
              return value == null ? null : key.storable(value);
            }));
  }

  /**
   * Removes a key.
   *
   * @param key the key
   * @return the value that was there, or null if the key was absent
   */
  @Nullable Object remove(String key);

  /**
   * Removes a key if it has the expected value.
   *
   * @param key the key
   * @param expected the value that must be there, compared as {@link java.util.Objects#deepEquals}
   *     does
   * @return true if it was removed
   */
  boolean remove(String key, Object expected);

  /** Removes all keys at one instant. */
  void clear();

  /**
   * Makes all changes of a delta at one instant. If it throws, none of them was made.
   *
   * @param delta the changes
   */
  void apply(StateDelta delta);

  /**
   * Takes a snapshot: exactly the entries at one instant between this call and its return. It costs
   * one pass over the keys, or nothing if nothing was written since the last one. It is immutable
   * and keeps no hold on this state.
   *
   * @return the snapshot
   */
  StateSnapshot all();

  /**
   * Starts a draft on a snapshot of now, for a branch whose changes are to become visible all at
   * once or not at all.
   *
   * @return a new draft
   */
  StateDraft draft();

  /**
   * Returns this state as a map, for frameworks that want one. The view is live and its writes are
   * writes to this state. Its iterators, {@code forEach}, {@code size}, {@code equals} and {@code
   * toString} work on a snapshot each; {@code putAll} is atomic; {@code compute}, {@code merge} and
   * the like are {@link #update}, so that their functions may run more than once. What removes
   * while it walks the entries or the values ({@code removeIf}, {@code retainAll}, {@code
   * removeAll}, the iterator) removes only entries that still have the value that was looked at;
   * the key set's removes the key, whatever its value.
   *
   * @return a live view
   */
  default ConcurrentMap<String, Object> asMap() {
    return new StateMapView(this);
  }

  /** Options of a new {@link SessionState}. A builder belongs to one thread; it may be reused. */
  final class Builder {
    private boolean byReference;

    private Builder() {}

    /**
     * Stores collections and arrays as they are, without copying. Whoever keeps a reference to one
     * can then change what is stored, behind the state's back. The values of a {@link StateDelta}
     * were copied when it was built. Default: they are copied.
     *
     * @return this
     */
    public Builder valuesByReference() {
      byReference = true;
      return this;
    }

    /**
     * Creates the state.
     *
     * @return a new, empty state
     */
    public SessionState build() {
      return new ConcurrentSessionState(byReference);
    }
  }
}
