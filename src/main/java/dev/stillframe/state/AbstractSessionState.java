package dev.stillframe.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What all states share: the operations, written on a few primitives over stored values. The
 * primitives run no user code; functions and {@code equals} of values run here, between a read and
 * the compare-and-set that fails if the key has changed meanwhile.
 */
abstract class AbstractSessionState implements SessionState {
  private final boolean byReference;

  /** How often the function of an update may run before it must not write its own key. */
  private static final int FREE_RUNS = 100;

  /**
   * Whether an update had to run its function very often; from false to true. Only the thread that
   * has set it has to see it, so that it needs no synchronization.
   */
  private boolean reruns;

  AbstractSessionState(boolean byReference) {
    this.byReference = byReference;
  }

  /** Returns the stored value of a key, or null if it is absent. */
  abstract @Nullable Object stored(String key);

  /**
   * Sets or, if {@code value} is null, removes a key if what is stored is {@code expected} itself
   * (null: absent). Only identity counts: another object that is equal was written by somebody.
   */
  abstract boolean compareAndSet(String key, @Nullable Object expected, @Nullable Object value);

  /**
   * Makes several edits at one instant, or none of them.
   *
   * @param edits in key order, each key once, values in stored form
   * @param whole if not null, the edits are made only if no key at all was written since this
   *     snapshot, which must have come from {@link #snapshot()} just before
   * @return false if an edit found another value than it expects, or if {@code whole} is outdated
   */
  abstract boolean commit(List<Edit> edits, @Nullable StateSnapshot whole);

  /** Takes a snapshot that does not count as a read, if this is a draft. */
  abstract StateSnapshot snapshot();

  @Override
  public StateSnapshot all() {
    return snapshot();
  }

  @Override
  public @Nullable Object get(String key) {
    return toCallerNullable(stored(key));
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    Object replacement = toStored(key, requireValue(key, value));
    for (; ; ) {
      Object old = stored(key);
      if (compareAndSet(key, old, replacement)) {
        return toCallerNullable(old);
      }
    }
  }

  @Override
  public <T> @Nullable Object set(StateKey<T> key, T value) {
    return set(key.name(), readable(key, requireValue(key.name(), value)));
  }

  @Override
  public @Nullable Object setIfAbsent(String key, Object value) {
    Object addition = toStored(key, requireValue(key, value));
    for (; ; ) {
      Object old = stored(key);
      if (old != null || compareAndSet(key, null, addition)) {
        return toCallerNullable(old);
      }
    }
  }

  @Override
  public @Nullable Object computeIfAbsent(
      String key, Function<? super String, ? extends @Nullable Object> function) {
    Objects.requireNonNull(function, "function");
    Object old = get(key);
    if (old != null) {
      return old;
    }
    Object value = function.apply(key);
    if (value == null) {
      return null;
    }
    Object addition = toStored(key, value);
    for (; ; ) {
      Object now = stored(key);
      if (now != null || compareAndSet(key, null, addition)) {
        return toCaller(now != null ? now : addition);
      }
    }
  }

  @Override
  public boolean replace(String key, Object expected, Object value) {
    return exchange(key, expected, toStored(key, requireValue(key, value)));
  }

  @Override
  public boolean remove(String key, Object expected) {
    return exchange(key, expected, null);
  }

  private boolean exchange(String key, Object expected, @Nullable Object value) {
    Object match = toStored(key, Objects.requireNonNull(expected, "expected"));
    for (; ; ) {
      Object old = stored(key);
      if (old == null || !isSame(old, match)) {
        return false;
      }
      if (compareAndSet(key, old, value)) {
        return true;
      }
    }
  }

  @Override
  public @Nullable Object update(String key, UnaryOperator<@Nullable Object> function) {
    Objects.requireNonNull(function, "function");
    for (int run = 1; ; run++) {
      Object old = stored(key);
      Object given = toCallerNullable(old);
      Object result =
          run > FREE_RUNS
              ? UpdateRerun.run(holderOf(key), key, function, given)
              : function.apply(given);
      Object value = result == null ? null : toStored(key, result);
      if (compareAndSet(key, old, value)) {
        return toCallerNullable(value);
      }
      if (run == FREE_RUNS) {
        holderOf(key).reruns = true;
      }
    }
  }

  @Override
  public <T> @Nullable T update(StateKey<T> key, UnaryOperator<@Nullable T> function) {
    Objects.requireNonNull(function, "function");
    return key.cast(
        update(
            key.name(),
            old -> {
              T value = function.apply(key.cast(old));
              return value == null ? null : readable(key, value);
            }));
  }

  /** Brings a value into stored form, and makes sure that it can be read by the same key. */
  private Object readable(StateKey<?> key, Object value) {
    Object stored = toStored(key.name(), value);
    key.cast(toCaller(stored));
    return stored;
  }

  /** Returns the state that is written when this one is. */
  AbstractSessionState holderOf(String key) {
    return this;
  }

  /** Each primitive that writes calls this first, for each key or with null for all keys. */
  final void writing(@Nullable String key) {
    if (reruns) {
      UpdateRerun.refuseOwnWrite(this, key);
    }
  }

  @Override
  public @Nullable Object remove(String key) {
    for (; ; ) {
      Object old = stored(key);
      if (old == null || compareAndSet(key, old, null)) {
        return toCallerNullable(old);
      }
    }
  }

  @Override
  public void apply(StateDelta delta) {
    Map<String, @Nullable Object> changes = Objects.requireNonNull(delta, "delta").stored();
    if (changes.isEmpty()) {
      return;
    }
    List<Edit> edits = new ArrayList<>(changes.size());
    changes.forEach(
        (key, value) -> edits.add(Edit.always(key, value == null ? null : toStored(key, value))));
    edits.sort(Comparator.comparing(Edit::key));
    commit(edits, null);
  }

  @Override
  public StateDraft draft() {
    return new DraftState(this, snapshot());
  }

  /** Compares two stored values by content. */
  boolean isSame(Object stored, Object other) {
    return Values.equal(stored, other);
  }

  final boolean keepsReferences() {
    return byReference;
  }

  /** Brings a caller's value into the form in which it is stored. */
  Object toStored(String key, Object value) {
    return byReference ? value : Values.freeze(key, value);
  }

  /** Brings a stored value into the form in which a caller gets it. */
  Object toCaller(Object stored) {
    return Values.thaw(stored);
  }

  final @Nullable Object toCallerNullable(@Nullable Object stored) {
    return stored == null ? null : toCaller(stored);
  }

  static Object requireValue(String key, @Nullable Object value) {
    Objects.requireNonNull(key, "key");
    if (value == null) {
      throw new NullPointerException(
          "The value of state key '" + key + "' must not be null; use remove");
    }
    return value;
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}
