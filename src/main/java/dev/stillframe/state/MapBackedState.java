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
  public @Nullable Object set(String key, Object value) {
    return toCallerNullable(map.put(key, toStored(key, requireValue(key, value))));
  }

  @Override
  public @Nullable Object setIfAbsent(String key, Object value) {
    return toCallerNullable(map.putIfAbsent(key, toStored(key, requireValue(key, value))));
  }

  @Override
  public @Nullable Object remove(String key) {
    return toCallerNullable(map.remove(Objects.requireNonNull(key, "key")));
  }

  /** By their frozen forms, since others may have put ordinary collections with arrays there. */
  @Override
  boolean isSame(Object stored, Object other) {
    return Values.equal(Values.freeze("", stored), Values.freeze("", other));
  }

  @Override
  boolean compareAndSet(String key, @Nullable Object expected, @Nullable Object value) {
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
    for (String key : map.keySet()) {
      map.remove(key);
    }
  }

  /** Edits key by key; takes back conditional edits if a later one fails. */
  @Override
  boolean commit(List<Edit> edits, @Nullable StateSnapshot whole) {
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

  @Override
  StateSnapshot snapshot() {
    Map<String, Object> copy = new HashMap<>();
    map.forEach((key, value) -> copy.put(key, Values.freeze(key, value)));
    return new StateSnapshot(copy, snapshots.incrementAndGet());
  }
}
