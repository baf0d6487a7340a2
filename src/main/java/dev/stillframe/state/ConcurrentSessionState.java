package dev.stillframe.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state over a {@link java.util.concurrent.ConcurrentHashMap}: {@link CellIndex} holds the
 * cells and their protocol, {@link SnapshotEpochs} the clock, {@link SnapshotWalk} copies a
 * snapshot, {@link CommitWriter} writes several keys. What is left here is to find the index, which
 * is replaced when the state is cleared or has shrunk.
 *
 * <p>The method is that of Wei, Ben-David, Blelloch, Fatourou, Ruppert and Sun, <i>Constant-Time
 * Snapshots with Applications to Concurrent Data Structures</i>, PPoPP 2021: versions with the
 * epoch at which they took effect, which whoever meets one helps to set. It differs in that a
 * snapshot here is copied out while it is announced, so that a value needs no version while no
 * snapshot is open.
 */
final class ConcurrentSessionState extends AbstractSessionState {
  private static final VarHandle INDEX =
      VarHandles.find(MethodHandles.lookup(), "index", CellIndex.class);

  private final SnapshotEpochs epochs;

  /** From a closed index to its successor only. */
  private volatile CellIndex index;

  /** Creates a state with a clock of its own. */
  ConcurrentSessionState(boolean byReference) {
    this(byReference, new SnapshotEpochs());
  }

  /** Creates a state that shares its clock with others. */
  ConcurrentSessionState(boolean byReference, SnapshotEpochs epochs) {
    super(byReference);
    this.epochs = epochs;
    index = new CellIndex(epochs);
  }

  SnapshotEpochs epochs() {
    return epochs;
  }

  /** Returns the index as it is, closed or not. */
  CellIndex index() {
    return index;
  }

  /** Returns the index, and first puts the successor in place if it is closed. */
  CellIndex openIndex() {
    CellIndex current = index;
    while (current.still() instanceof CellIndex successor) {
      INDEX.compareAndSet(this, current, successor);
      current = index;
    }
    return current;
  }

  @Override
  public @Nullable Object get(String key) {
    Cell cell = index.get(Objects.requireNonNull(key, "key"));
    if (cell == null) {
      return null;
    }
    Object head = cell.head();
    return Cell.isBare(head) ? Values.thaw(head) : Values.thawNullable(stored(key));
  }

  /** Reads a closed index, too, until its successor is in place: the closing is not seen before. */
  @Override
  @Nullable Object stored(String key) {
    Objects.requireNonNull(key, "key");
    CellIndex current = index;
    for (; ; ) {
      Cell cell = current.get(key);
      Object value = cell == null ? null : current.read(key, cell);
      if (value != CellIndex.CLOSED) {
        return value;
      }
      current = openIndex();
    }
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    Object replacement = toStored(key, requireValue(key, value));
    writing(key);
    for (; ; ) {
      CellIndex current = openIndex();
      Cell cell = current.get(key);
      if (cell == null) {
        if (current.insert(key, replacement)) {
          return null;
        }
      } else {
        Object head = current.settledHead(key, cell);
        if (head != null && current.write(key, cell, head, replacement)) {
          return Values.thawNullable(Cell.valueOf(head));
        }
      }
    }
  }

  @Override
  boolean compareAndSet(String key, @Nullable Object expected, @Nullable Object value) {
    writing(key);
    for (; ; ) {
      CellIndex current = openIndex();
      Cell cell = current.get(key);
      if (cell == null) {
        if (expected != null) {
          return false;
        }
        if (value == null || current.insert(key, value)) {
          return true;
        }
      } else {
        Object head = current.settledHead(key, cell);
        if (head != null) {
          if (Cell.valueOf(head) != expected) {
            return false;
          }
          if (current.write(key, cell, head, value)) {
            if (value == null) {
              shrinkIfDue(current);
            }
            return true;
          }
        }
      }
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // which snapshot it is, not what it holds
  boolean commit(List<Edit> edits, @Nullable StateSnapshot whole) {
    if (edits.isEmpty()) {
      return whole == null || openIndex().still() == whole;
    }
    edits.forEach(edit -> writing(edit.key()));
    for (; ; ) {
      CellIndex current = openIndex();
      switch (CommitWriter.write(current, edits, whole)) {
        case DONE -> {
          shrinkIfDue(current);
          return true;
        }
        case REFUSED -> {
          return false;
        }
        case INDEX_CLOSED -> {}
      }
    }
  }

  /** Moves to a smaller index if removals have left this one almost empty. */
  void shrinkIfDue(CellIndex current) {
    if (current.isShrinkingDue()) {
      StateSnapshot taken = takeSnapshot(current);
      if (taken != null) {
        // Another snapshot may have come first, and nothing have been written since.
        shrink(current, current.still() instanceof StateSnapshot unchanged ? unchanged : taken);
      }
    }
  }

  /** Moves to a smaller index if this one is much larger than what it holds. */
  void shrinkIfSparse(CellIndex current, StateSnapshot taken) {
    if (current.isSparse()) {
      shrink(current, taken);
    }
  }

  /** Moves to a smaller index, unless something was written since a snapshot. */
  private void shrink(CellIndex current, StateSnapshot taken) {
    StateSnapshot content = taken;
    if (current.still() != taken && current.isEmptied()) {
      // The last keys went while the snapshot was open, and there may be no other removal to come.
      content = takeSnapshot(current);
    }
    if (content != null && current.still() == content) {
      current.compareAndSetStill(content, new CellIndex(current, content));
      openIndex();
    }
  }

  @Override
  public void clear() {
    writing(null);
    CellIndex current = openIndex();
    while (!current.close(new CellIndex(current))) {
      current = openIndex();
    }
    openIndex();
  }

  @Override
  StateSnapshot snapshot() {
    for (; ; ) {
      CellIndex current = openIndex();
      if (current.still() instanceof StateSnapshot unchanged) {
        return unchanged;
      }
      StateSnapshot snapshot = takeSnapshot(current);
      if (snapshot != null) {
        shrinkIfSparse(current, snapshot);
        return snapshot;
      }
    }
  }

  /** Returns null if the index was closed meanwhile. */
  @SuppressWarnings("ReferenceEquality") // which index it is, not what it holds
  private @Nullable StateSnapshot takeSnapshot(CellIndex current) {
    SnapshotEpochs.Announcement announcement = epochs.announce();
    StateSnapshot reusable = null;
    current.announceStill(announcement);
    try {
      if (index != current) {
        return null; // what was written to the successor before our epoch would be missing
      }
      SnapshotWalk walk = new SnapshotWalk(current, announcement.epoch);
      StateSnapshot snapshot = walk.take();
      if (!walk.isOutdated()) {
        reusable = snapshot;
      }
      return snapshot;
    } finally {
      current.compareAndSetStill(announcement, reusable);
      epochs.end(announcement);
    }
  }
}
