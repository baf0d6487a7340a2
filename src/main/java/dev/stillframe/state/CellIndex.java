package dev.stillframe.state;

import dev.stillframe.state.Cell.Pending;
import dev.stillframe.state.Cell.Version;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a state by key, with the protocol by which they are read and written. A write goes
 * in three steps, each of which any thread that meets it can finish:
 *
 * <ol>
 *   <li>it is put in place, as a Pending on the cell;
 *   <li>the snapshot that is kept for reuse is dropped ({@link #touch});
 *   <li>it takes effect: the epoch is read, and the Pending gives way to the value.
 * </ol>
 *
 * <p><b>Why nobody sees two writes in the wrong order.</b> Let a snapshot of epoch e not see a
 * write P, but see Q. It does not see P because P took effect after e was announced. It sees Q
 * because Q was in place before that, else whoever made Q take effect would have read e. So whoever
 * has seen P finds Q in place, and makes it take effect if need be.
 *
 * <p>An index serves until the state is cleared or moves to a smaller one; then it is closed, and
 * another takes its place. A Pending that is found undecided in a closed index is left to its
 * owner, who alone may withdraw it and write to the successor instead; everybody else starts over
 * there.
 */
@SuppressWarnings(
    "serial") // a map by inheritance, which saves one step on every read; never written
final class CellIndex extends ConcurrentHashMap<String, Cell> {
  /** What {@link #read} returns if the index is closed and its caller has to start over. */
  static final Object CLOSED = new Object();

  private static final int WORTH_SHRINKING = 256;

  private static final VarHandle STILL =
      VarHandles.find(MethodHandles.lookup(), "still", Object.class);

  private final SnapshotEpochs epochs;

  /**
   * Where the cells of this index and of its successors come in the order in which a commit over
   * several indexes puts its Pendings in place.
   */
  final int order;

  /**
   * What is known of the present:
   *
   * <pre>
   *  null            something was written since the last snapshot
   *  Announcement    the same, if it does not stay until the snapshot is complete
   *  StateSnapshot   nothing was written since this snapshot
   *  Commit          this commit, and nothing else, follows that snapshot
   *  CellIndex       this index is closed, that one is its successor; final
   *
   *  null to Announcement to StateSnapshot to Commit to null, by compare-and-set
   *  Announcement to a newer one            a later snapshot takes over
   *  Announcement, StateSnapshot to null    by any write, before it takes effect
   *  any but Commit to CellIndex            a commit takes effect first
   * </pre>
   */
  @SuppressWarnings("FieldMayBeFinal") // written through STILL
  private volatile @Nullable Object still;

  /**
   * At how few keys it is time to move to a smaller index; 0 while this one is small. Only a hint,
   * so that lost updates are harmless.
   */
  private int shrinkAt;

  CellIndex(SnapshotEpochs epochs) {
    this.epochs = epochs;
    order = epochs.nextOrder();
  }

  /** Creates an empty successor. */
  CellIndex(CellIndex closed) {
    epochs = closed.epochs;
    order = closed.order;
  }

  /** Creates a successor that holds what a snapshot shows. */
  CellIndex(CellIndex closed, StateSnapshot content) {
    super(content.size());
    epochs = closed.epochs;
    order = closed.order;
    content.storedMap().forEach((key, value) -> put(key, new Cell(value)));
    grownTo(content.size());
    still = content;
  }

  @Nullable Object still() {
    return still;
  }

  /**
   * Says that a snapshot is being taken which may be kept. It lets a commit pass and takes over
   * from an older snapshot that is being taken: who commits on the condition of a snapshot must not
   * depend on a thread that has stopped in the middle of either. It leaves a newer one alone, else
   * a snapshot with a lower number could follow one with a higher.
   */
  void announceStill(SnapshotEpochs.Announcement announcement) {
    if (still instanceof Commit commit) {
      letPass(commit);
    }
    Object s = still;
    if (s == null
        || (s instanceof SnapshotEpochs.Announcement other && other.epoch < announcement.epoch)) {
      compareAndSetStill(s, announcement);
    }
  }

  /** Passes from a snapshot to a commit over several indexes, unless somebody has done so. */
  boolean followStill(StateSnapshot unchanged, Commit commit) {
    return compareAndSetStill(unchanged, commit) || still == commit;
  }

  boolean isClosed() {
    return still instanceof CellIndex;
  }

  boolean compareAndSetStill(@Nullable Object expected, @Nullable Object next) {
    return STILL.compareAndSet(this, expected, next);
  }

  /** Returns the stored value of a cell, null if the key is absent, or CLOSED. Never waits. */
  @Nullable Object read(String key, Cell cell) {
    for (; ; ) {
      Object head = cell.head();
      if (!(head instanceof Pending pending)) {
        return Cell.valueOf(head);
      }
      if (pending.isInstalling()) {
        return Cell.valueOf(pending.older);
      }
      if (!finish(key, cell, pending)) {
        return CLOSED;
      }
    }
  }

  /**
   * Returns the head on which a write may be put, a bare value or a Version, or null if the writer
   * has to look the cell up again. Waits for a commit that is putting this key in place.
   */
  @Nullable Object settledHead(String key, Cell cell) {
    for (int tries = 0; ; ) {
      Object head = cell.head();
      if (!(head instanceof Pending pending)) {
        if (head != Cell.DEAD) {
          return head;
        }
        remove(key, cell);
        return null;
      }
      if (pending.isInstalling()) {
        pause(tries++);
      } else if (!finish(key, cell, pending)) {
        return null;
      }
    }
  }

  /** A commit waits for nothing but commits of lower keys, and runs no user code meanwhile. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint; nothing relies on it
  private static void pause(int tries) {
    if (tries < 64) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /** Writes to an absent key. Returns false if the writer has to start over. */
  boolean insert(String key, Object value) {
    Pending pending = new Pending(value, null, null);
    Cell cell = new Cell(pending);
    return place(key, cell) && takeEffect(key, cell, pending);
  }

  /** Puts a new cell in place. Returns false if there is one. */
  boolean place(String key, Cell cell) {
    if (putIfAbsent(key, cell) != null) {
      return false;
    }
    grownTo(size());
    return true;
  }

  private void grownTo(int size) {
    if (size >= WORTH_SHRINKING && size / 8 > shrinkAt) {
      shrinkAt = size / 8;
    }
  }

  /** Writes to a present key. Returns false if the writer has to start over. */
  boolean write(String key, Cell cell, Object settledHead, @Nullable Object value) {
    Pending pending = new Pending(value, settledHead, null);
    return cell.compareAndSet(settledHead, pending) && takeEffect(key, cell, pending);
  }

  /**
   * Finishes the caller's own write. In a closed index somebody who had not seen the closing may
   * make it take effect while we withdraw it; the cell's compare-and-set says which it was.
   */
  private boolean takeEffect(String key, Cell cell, Pending own) {
    return finish(key, cell, own) || !withdraw(key, cell, own);
  }

  /**
   * Makes a Pending take effect, or withdraws it if its commit was aborted. Returns false if it
   * stays undecided, since the index is closed.
   */
  boolean finish(String key, Cell cell, Pending pending) {
    Commit commit = pending.commit;
    if (commit == null) {
      if (!touch()) {
        return false;
      }
      settle(key, cell, pending, epochs.now());
      return true;
    }
    if (commit.isUndecided() && !decide(commit)) {
      return false;
    }
    if (commit.isAborted()) {
      withdraw(key, cell, pending);
    } else {
      settle(key, cell, pending, commit.stamp());
    }
    return true;
  }

  /**
   * Makes an installed commit take effect. Returns false if it stays undecided, since the index is
   * closed. If one of several is closed, the commit is aborted, and its owner starts over: others
   * have met it in an index that is not closed, where they cannot leave it undecided.
   */
  boolean decide(Commit installed) {
    if (installed.indexes == null) {
      if (!touch()) {
        return false;
      }
    } else {
      for (CellIndex index : installed.indexes) {
        if (!index.touch()) {
          installed.abort();
          return true;
        }
      }
    }
    installed.decide(epochs.now());
    return true;
  }

  /**
   * Drops the snapshot that is kept for reuse. This stands between putting a write in place and its
   * taking effect: whoever sees the write no longer finds the snapshot; and a snapshot that takes
   * its place afterwards meets the write on its way. Returns false if the index is closed.
   */
  private boolean touch() {
    for (Object s = still; s != null; s = still) {
      if (s instanceof CellIndex) {
        return false;
      }
      if (s instanceof Commit commit) {
        letPass(commit);
      } else {
        compareAndSetStill(s, null);
      }
    }
    return true;
  }

  /**
   * Makes a commit that has followed a snapshot take effect before anything else does. It must have
   * its stamp before it is dropped from here: a snapshot between the two would see what comes after
   * it, but not itself.
   */
  private void letPass(Commit commit) {
    commit.pass();
    commit.decide(epochs.now());
    compareAndSetStill(commit, null);
  }

  /** Closes this index in favour of another. Returns false if the caller has to look again. */
  boolean close(CellIndex successor) {
    Object s = still;
    if (s instanceof Commit commit) {
      letPass(commit);
      return false;
    }
    return !(s instanceof CellIndex) && compareAndSetStill(s, successor);
  }

  private void settle(String key, Cell cell, Pending pending, long stamp) {
    Object head = epochs.settled(pending.value, stamp, pending.older);
    if (!cell.compareAndSet(pending, head)) {
      return; // somebody else has settled it
    }
    if (head == Cell.DEAD) {
      remove(key, cell);
    } else if (head instanceof Version
        && !(pending.older instanceof Version && pending.commit == null)) {
      leave(key, cell); // a cell with a Version is noted already, but see tidy for commits
    }
  }

  private boolean withdraw(String key, Cell cell, Pending pending) {
    Object head = pending.older == null ? Cell.DEAD : pending.older;
    if (!cell.compareAndSet(pending, head)) {
      return false;
    }
    if (head == Cell.DEAD) {
      remove(key, cell);
    } else if (head instanceof Version) {
      leave(key, cell);
    }
    return true;
  }

  /**
   * Notes that a cell keeps something for a snapshot. If the snapshots have ended meanwhile, this
   * cell is tidied here, since they may have cleared away without seeing the note.
   */
  private void leave(String key, Cell cell) {
    epochs.leave(this, key, cell);
    if (!epochs.isAnyOpen()) {
      tidy(key, cell);
    }
  }

  /** Lets go of what no open snapshot needs; notes the cell again if one still does. */
  void tidy(String key, Cell cell) {
    for (; ; ) {
      Object head = cell.head();
      if (head instanceof Pending pending) {
        // Whoever settles or withdraws it notes the cell again.
        if (pending.isInstalling() || !finish(key, cell, pending)) {
          return;
        }
      } else if (head instanceof Version version) {
        Object tidied = epochs.settled(version.value, version.stamp, version.older);
        if (tidied instanceof Version) {
          epochs.leave(this, key, cell);
          return;
        }
        if (cell.compareAndSet(version, tidied)) {
          if (tidied == Cell.DEAD) {
            remove(key, cell);
          }
          return;
        }
      } else {
        return;
      }
    }
  }

  /** Tells whether the table is much larger than what it holds. */
  boolean isSparse() {
    return shrinkAt > 0 && size() <= shrinkAt;
  }

  boolean isEmptied() {
    return shrinkAt > 0 && isEmpty();
  }

  /**
   * Tells whether a removal should try to move to a smaller index. Since that copies what is left,
   * and fails beside other writers, it is tried again only when half of that is gone.
   */
  boolean isShrinkingDue() {
    if (!isSparse()) {
      return false;
    }
    shrinkAt = Math.max(1, size() / 2);
    return true;
  }
}
