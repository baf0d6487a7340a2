package dev.stillframe.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a state, or of all states of a {@linkplain StateFamily family}, which only snapshots
 * advance, and the snapshots that are being taken.
 *
 * <p>A snapshot announces itself by putting an {@link Announcement} with the next epoch at the top
 * of a stack; so one compare-and-set both takes the epoch and makes the snapshot known. A write
 * reads the top to get its stamp. What follows from the order of the two:
 *
 * <ul>
 *   <li>announced before the top was read: the write sees the announcement, has a stamp that is not
 *       below its epoch, and keeps the value that it replaces for that snapshot;
 *   <li>announced after: the snapshot has a higher epoch than the stamp, so it sees the write.
 * </ul>
 *
 * <p>Cells that keep something are noted as {@linkplain Leftover leftovers}, which the oldest open
 * snapshot clears away when it ends.
 */
final class SnapshotEpochs {
  private static final VarHandle LATEST =
      VarHandles.find(MethodHandles.lookup(), "latest", Announcement.class);
  private static final VarHandle LEFTOVERS =
      VarHandles.find(MethodHandles.lookup(), "leftovers", Leftover.class);
  private static final VarHandle INDEXES =
      VarHandles.find(MethodHandles.lookup(), "indexes", int.class);

  /** From one announcement to the next, whose epoch is one higher. */
  private volatile Announcement latest = new Announcement(1, null);

  /** A stack that grows by one, or is taken as a whole. */
  @SuppressWarnings("FieldMayBeFinal") // written through LEFTOVERS
  private volatile @Nullable Leftover leftovers;

  /** How many indexes, successors not counted, have used this clock. */
  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // read and written through INDEXES
  private volatile int indexes;

  SnapshotEpochs() {
    latest.ended = true; // the first epoch is nobody's
  }

  /** Returns another number each time, for the order of the indexes that share this clock. */
  int nextOrder() {
    return (int) INDEXES.getAndAdd(this, 1);
  }

  /** The epoch of the newest snapshot: the stamp of what takes effect now. */
  long now() {
    return latest.epoch;
  }

  /** Opens a snapshot: it sees the stamps below its epoch. */
  Announcement announce() {
    for (; ; ) {
      Announcement top = latest;
      Announcement next = new Announcement(top.epoch + 1, firstOpen(top));
      if (LATEST.compareAndSet(this, top, next)) {
        return next;
      }
    }
  }

  /** Ends a snapshot and clears away what was kept for it alone. */
  void end(Announcement announcement) {
    announcement.ended = true;
    // Two that end at once may put an ended one back in between; it is passed over, and dropped by
    // the next.
    for (Announcement a = latest; a != null; a = a.older) {
      a.older = firstOpen(a.older);
    }
    if (!isNeededBetween(0, announcement.epoch)) {
      clearLeftovers();
    }
    while (leftovers != null && !isAnyOpen()) {
      clearLeftovers();
    }
  }

  private static @Nullable Announcement firstOpen(@Nullable Announcement from) {
    Announcement a = from;
    while (a != null && a.ended) {
      a = a.older;
    }
    return a;
  }

  boolean isAnyOpen() {
    return firstOpen(latest) != null;
  }

  /**
   * Returns the head of a cell whose newest value took effect at {@code stamp}: the bare value or
   * DEAD if all open snapshots see it, else a Version with what the others need.
   */
  Object settled(@Nullable Object value, long stamp, @Nullable Object older) {
    if (isNeededBetween(0, stamp)) {
      return new Cell.Version(value, stamp, needed(older, stamp));
    }
    return value == null ? Cell.DEAD : value;
  }

  /**
   * Cuts out of a chain what no open snapshot sees. A snapshot that is announced after this has
   * begun sees {@code until} already. The depth is at most the number of open snapshots, since each
   * write cuts.
   */
  private @Nullable Object needed(@Nullable Object chain, long until) {
    if (chain == null) {
      return null;
    }
    if (!(chain instanceof Cell.Version version)) {
      return isNeededBetween(0, until) ? chain : null;
    }
    if (!isNeededBetween(version.stamp, until)) {
      return needed(version.older, until);
    }
    Object behind = needed(version.older, version.stamp);
    return behind == version.older
        ? version
        : new Cell.Version(version.value, version.stamp, behind);
  }

  /** Tells whether an open snapshot sees the first stamp but not the second. */
  private boolean isNeededBetween(long stamp, long nextStamp) {
    for (Announcement a = latest; a != null; a = a.older) {
      if (!a.ended && stamp < a.epoch && a.epoch <= nextStamp) {
        return true;
      }
    }
    return false;
  }

  /** Notes a cell that keeps something. */
  void leave(CellIndex index, String key, Cell cell) {
    for (; ; ) {
      Leftover top = leftovers;
      if (LEFTOVERS.compareAndSet(this, top, new Leftover(index, key, cell, top))) {
        return;
      }
    }
  }

  private void clearLeftovers() {
    Leftover all = (Leftover) LEFTOVERS.getAndSet(this, null);
    for (Leftover l = all; l != null; l = l.next) {
      l.index.tidy(l.key, l.cell);
    }
  }

  /** A snapshot that is being taken, or was. */
  static final class Announcement {
    final long epoch;

    /** From false to true, once. */
    private volatile boolean ended;

    /** The next older one that was open when this was written; ended ones are skipped in time. */
    private volatile @Nullable Announcement older;

    Announcement(long epoch, @Nullable Announcement older) {
      this.epoch = epoch;
      this.older = older;
    }
  }

  /** A cell that keeps something for a snapshot. */
  private static final class Leftover {
    private final CellIndex index;
    private final String key;
    private final Cell cell;
    private final @Nullable Leftover next;

    Leftover(CellIndex index, String key, Cell cell, @Nullable Leftover next) {
      this.index = index;
      this.key = key;
      this.cell = cell;
      this.next = next;
    }
  }
}
