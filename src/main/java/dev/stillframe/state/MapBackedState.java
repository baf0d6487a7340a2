package dev.stillframe.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A state over a map of the caller's. The map holds the values as its other users expect them:
 * arrays bare, collections as unmodifiable copies that serialize as ordinary ones. It may hand out
 * a new object at each read, so that comparing is left to its own operations.
 */
final class MapBackedState extends AbstractSessionState {
  /** How often a map is asked to replace a value that seems to be the expected one. */
  private static final int MAX_ATTEMPTS = 100;

  private final ConcurrentMap<String, Object> map;
  private final AtomicLong snapshots = new AtomicLong();

  MapBackedState(ConcurrentMap<String, Object> map) {
    super(/* byReference= */ false);
    this.map = Objects.requireNonNull(map, "map");
  }

  @Override
  Object toStored(String key, Object value) {
    return Values.thaw(Values.freeze(key, value));
  }

  /** Copied on the way out, too, since the map may hold what others have put there. */
  @Override
  Object toCaller(Object stored) {
    return Values.thaw(Values.freeze("", stored));
  }

  @Override
  @Nullable Object stored(String key) {
    return map.get(Objects.requireNonNull(key, "key"));
  }

  @Override
  public @Nullable Object get(String key) {
    Object stored = stored(key);
    return stored == null ? null : Values.thaw(Values.freeze(key, stored));
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    Object replacement = toStored(key, requireValue(key, value));
    writing(key);
    return replaced(map.put(key, replacement));
  }

  @Override
  public @Nullable Object setIfAbsent(String key, Object value) {
    Object addition = toStored(key, requireValue(key, value));
    writing(key);
    return replaced(map.putIfAbsent(key, addition));
  }

  @Override
  public @Nullable Object remove(String key) {
    writing(Objects.requireNonNull(key, "key"));
    return replaced(map.remove(key));
  }

  /**
   * Brings what the map has given back for a write into the form in which a caller gets it. What
   * others have put there may be nested too deeply to be copied; since the write is made, that is
   * no reason to throw.
   */
  private @Nullable Object replaced(@Nullable Object old) {
    try {
      return toCallerNullable(old);
    } catch (IllegalArgumentException tooDeep) {
      return old;
    }
  }

  /** By their frozen forms, since others may have put ordinary collections with arrays there. */
  @Override
  boolean isSame(Object stored, Object other) {
    return Values.equal(Values.freeze("", stored), Values.freeze("", other));
  }

  @Override
  boolean compareAndSet(String key, @Nullable Object expected, @Nullable Object value) {
    writing(key);
    if (expected == null) {
      return value == null ? stored(key) == null : map.putIfAbsent(key, value) == null;
    }
    Object match = expected;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (value == null ? map.remove(key, match) : map.replace(key, match, value)) {
        return true;
      }
      match = stored(key);
      if (match == null || !isSame(match, expected)) {
        return false;
      }
    }
    throw new IllegalStateException(
        "The map under a state must replace a value that is equal to the expected one; it never did"
            + " so for key '"
            + key
            + "', which holds a "
            + expected.getClass().getName());
  }

  @Override
  public void clear() {
    writing(null);
    for (String key : map.keySet()) {
      map.remove(key);
    }
  }

  /** Edits key by key; takes back conditional edits if a later one fails. */
  @Override
  boolean commit(List<Edit> edits, @Nullable StateSnapshot whole) {
    edits.forEach(edit -> writing(edit.key()));
    Deque<Edit> done = new ArrayDeque<>();
    boolean complete = false;
    try {
      for (Edit edit : edits) {
        if (!make(edit, done)) {
          return false;
        }
      }
      complete = true;
      return true;
    } finally {
      if (!complete) {
        done.forEach(d -> compareAndSet(d.key(), d.value(), d.expected()));
      }
    }
  }

  private boolean make(Edit edit, Deque<Edit> done) {
    String key = edit.key();
    Object value = Values.thawNullable(edit.value());
    if (edit.conditional() && edit.value() == edit.expected()) {
      return isStill(key, edit.expected()); // only read: that is no reason to write to a grid
    }
    if (edit.conditional()) {
      if (!compareAndSet(key, edit.expected(), value)) {
        return false;
      }
      done.push(Edit.ifStill(edit.expected(), key, value));
    } else if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
    return true;
  }

  private boolean isStill(String key, @Nullable Object expected) {
    Object now = stored(key);
    return (now == null || expected == null) ? now == expected : isSame(now, expected);
  }

  @Override
  StateSnapshot snapshot() {
    Map<String, Object> copy = new HashMap<>();
    map.forEach((key, value) -> copy.put(key, Values.freeze(key, value)));
    return new StateSnapshot(copy, snapshots.incrementAndGet());
  }
}
