package dev.stillframe.state;

import dev.stillframe.state.Cell.Pending;
import dev.stillframe.state.Cell.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies from each cell what the snapshot of an announced epoch sees. The cells that were in the
 * index when the walk began are all met, since one that the snapshot needs is not taken out before
 * it has ended; those that come later hold nothing that it sees.
 */
final class SnapshotWalk implements BiConsumer<String, Cell> {
  private final CellIndex index;
  private final long epoch;
  private final Map<String, Object> copy;

  /** Whether something was met that is newer than this snapshot. */
  private boolean outdated;

  private boolean closed;

  SnapshotWalk(CellIndex index, long epoch) {
    this.index = index;
    this.epoch = epoch;
    copy = new HashMap<>((int) (index.size() / 0.75f) + 1);
  }

  /** Returns the snapshot, or null if the index was closed meanwhile. */
  @Nullable StateSnapshot take() {
    index.forEach(this);
    return closed ? null : new StateSnapshot(copy, epoch);
  }

  boolean isOutdated() {
    return outdated;
  }

  @Override
  public void accept(String key, Cell cell) {
    Object head = cell.head();
    while (head instanceof Pending pending) {
      if (pending.isInstalling()) {
        head = pending.older;
        break;
      }
      if (!index.finish(key, cell, pending)) {
        closed = true;
        return;
      }
      head = cell.head();
    }
    Object value = head;
    if (head == null || !Cell.isBare(head)) {
      value = Cell.valueAt(head, epoch);
      outdated |= head instanceof Version version && version.stamp >= epoch;
    }
    if (value != null) {
      copy.put(key, value);
    }
  }
}
