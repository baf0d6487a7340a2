package dev.stillframe.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A draft: the base, and over it the keys that were written. One lock guards it; under the lock
 * there are only hash maps with text keys, no user code and no other lock. The base is copied
 * outside it, so that nobody waits for a snapshot of a large one.
 */
final class DraftState extends AbstractSessionState implements StateDraft {
  /** How often a commit that looked at the whole state is tried while others write to it. */
  private static final int MAX_ATTEMPTS = 1_000;

  private enum Phase {
    COMMITTING,
    COMMITTED
  }

  private final AbstractSessionState parent;
  private final StateSnapshot base;

  private final Object lock = new Object();

  // Guarded by lock. What is written changes only while the draft is open; what is read grows until
  // it is committed, since a commit that is refused leaves the draft open.
  private final Map<String, @Nullable Object> written = new LinkedHashMap<>();
  private final Set<String> read = new HashSet<>();
  private boolean readWhole;

  /** How often it was written; the next higher number is that of the snapshot that shows it. */
  private long version;

  private @Nullable StateSnapshot still;

  /**
   * Null while open; to COMMITTING; to COMMITTED, or back to null if the commit did not succeed.
   */
  private @Nullable Phase phase;

  DraftState(AbstractSessionState parent, StateSnapshot base) {
    super(parent.keepsReferences());
    this.parent = parent;
    this.base = base;
  }

  @Override
  public StateSnapshot base() {
    return base;
  }

  @Override
  @Nullable Object stored(String key) {
    Objects.requireNonNull(key, "key");
    synchronized (lock) {
      if (phase != Phase.COMMITTED) {
        read.add(key);
      }
      return current(key);
    }
  }

  private @Nullable Object current(String key) {
    return written.containsKey(key) ? written.get(key) : base.stored(key);
  }

  @Override
  boolean compareAndSet(String key, @Nullable Object expected, @Nullable Object value) {
    writing(key);
    synchronized (lock) {
      requireOpen();
      if (current(key) != expected) {
        return false;
      }
      write(key, value);
      return true;
    }
  }

  private void write(String key, @Nullable Object value) {
    written.put(key, value);
    version++;
    still = null;
  }

  private void requireOpen() {
    if (phase != null) {
      throw new IllegalStateException(
          phase == Phase.COMMITTED
              ? "A draft must not be written once it is committed"
              : "A draft must not be written while it is being committed");
    }
  }

  /** Makes the edits of a draft of this draft. */
  @Override
  @SuppressWarnings("ReferenceEquality") // which snapshot it is, not what it holds
  boolean commit(List<Edit> edits, @Nullable StateSnapshot whole) {
    edits.forEach(edit -> writing(edit.key()));
    synchronized (lock) {
      requireOpen();
      if (whole != null && whole != still) {
        return false;
      }
      for (Edit edit : edits) {
        if (edit.conditional() && current(edit.key()) != edit.expected()) {
          return false;
        }
      }
      readWhole |= whole != null;
      for (Edit edit : edits) {
        if (!edit.conditional() || edit.value() != edit.expected()) {
          write(edit.key(), edit.value());
        }
      }
      return true;
    }
  }

  @Override
  public void clear() {
    writing(null);
    synchronized (lock) {
      requireOpen();
      readWhole = true;
      base.storedMap().keySet().forEach(key -> write(key, null));
      written.keySet().forEach(key -> write(key, null));
    }
  }

  @Override
  public StateSnapshot all() {
    synchronized (lock) {
      readWhole |= phase != Phase.COMMITTED;
    }
    return snapshot();
  }

  @Override
  StateSnapshot snapshot() {
    Map<String, @Nullable Object> changes;
    long now;
    synchronized (lock) {
      if (still != null) {
        return still;
      }
      changes = new HashMap<>(written);
      now = version;
    }
    StateSnapshot taken = new StateSnapshot(merged(changes), now + 1);
    synchronized (lock) {
      if (version != now) {
        return taken;
      }
      if (still == null) {
        still = taken;
      }
      return still; // one object for one version: commit compares it by identity
    }
  }

  private Map<String, Object> merged(Map<String, @Nullable Object> changes) {
    Map<String, Object> content = new HashMap<>(base.storedMap());
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            content.remove(key);
          } else {
            content.put(key, value);
          }
        });
    return content;
  }

  @Override
  public StateDelta delta() {
    return snapshot().deltaFrom(base);
  }

  @Override
  public void commit() {
    commitOnce(null);
  }

  @Override
  public void commit(Merge merge) {
    commitOnce(Objects.requireNonNull(merge, "merge"));
  }

  private void commitOnce(@Nullable Merge merge) {
    synchronized (lock) {
      if (phase != null) {
        throw new IllegalStateException(
            phase == Phase.COMMITTED
                ? "A draft must not be committed once it is committed"
                : "A draft must not be committed while it is being committed");
      }
      phase = Phase.COMMITTING;
    }
    boolean committed = false;
    try {
      commitTo(parent, merge);
      committed = true;
    } finally {
      synchronized (lock) {
        phase = committed ? Phase.COMMITTED : null;
      }
    }
  }

  /**
   * Compares what was touched with what the parent holds now, and commits on the condition that it
   * still does. Each further round means that somebody else has written one of the keys.
   */
  private void commitTo(AbstractSessionState target, @Nullable Merge merge) {
    Set<String> conflicts = Set.of();
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Touched touched = touched();
      StateSnapshot whole = touched.whole ? target.snapshot() : null;
      List<Edit> edits = new ArrayList<>();
      conflicts = new TreeSet<>();
      for (String key : touched.keys(base, whole)) {
        Object now = whole == null ? target.stored(key) : whole.stored(key);
        Object next = written.containsKey(key) ? written.get(key) : now;
        if (hasChanged(target, now, base.stored(key))) {
          conflicts.add(key);
          if (merge != null) {
            next = settle(merge, key, now);
          }
        }
        if (whole == null || next != now) {
          edits.add(Edit.ifStill(now, key, next));
        }
      }
      if (merge == null && !conflicts.isEmpty()) {
        break;
      }
      if (touched.equals(touched()) && target.commit(edits, whole)) {
        return;
      } // else somebody has written, or the merge has read more keys of this draft
    }
    // With no conflict left, others kept on writing what was there: any of these keys.
    throw new StateConflictException(conflicts.isEmpty() ? touched().keys : conflicts);
  }

  private Touched touched() {
    synchronized (lock) {
      Set<String> keys = new HashSet<>(written.keySet());
      keys.addAll(read);
      return new Touched(keys, readWhole);
    }
  }

  /** What has been written or read so far. */
  private record Touched(Set<String> keys, boolean whole) {

    /** Returns the keys to be compared, in their order. */
    Set<String> keys(StateSnapshot base, @Nullable StateSnapshot now) {
      Set<String> all = new TreeSet<>(keys);
      if (now != null) {
        all.addAll(base.storedMap().keySet());
        all.addAll(now.storedMap().keySet());
      }
      return all;
    }
  }

  private static boolean hasChanged(
      AbstractSessionState target, @Nullable Object now, @Nullable Object before) {
    return (now == null || before == null) ? now != before : !target.isSame(now, before);
  }

  private @Nullable Object settle(Merge merge, String key, @Nullable Object now) {
    Object ours = written.containsKey(key) ? written.get(key) : base.stored(key);
    Object settled =
        merge.merge(
            key,
            Values.thawNullable(base.stored(key)),
            parent.toCallerNullable(now),
            Values.thawNullable(ours));
    return settled == null ? null : toStored(key, settled);
  }
}
