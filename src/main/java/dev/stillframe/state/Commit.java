package dev.stillframe.state;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What decides for all keys of a write over several keys at once: when it took effect, or that it
 * did not. Its value:
 *
 * <pre>
 *  INSTALLING   its Pendings are being put in place; readers look past them
 *  INSTALLED    all are in place; whoever meets one decides first
 *  stamp        it took effect in this epoch (at least 1); final
 *  ABORTED      it did not take effect; final
 *
 *  INSTALLING to INSTALLED   by its owner, or by a writer that must come after it (CellIndex.touch)
 *  INSTALLING to ABORTED     by its owner: a key had not the expected value; or by anybody: an
 *                            index has changed that it must follow unchanged (pass)
 *  INSTALLED  to stamp       by anybody
 *  INSTALLED  to ABORTED     an index was closed before anybody decided: by its owner if there is
 *                            one index, by anybody if there are several
 * </pre>
 */
@SuppressWarnings("serial") // AtomicLong is Serializable by accident; this is never written
final class Commit extends AtomicLong {
  private static final long INSTALLING = -2;
  private static final long INSTALLED = -1;
  private static final long ABORTED = 0;

  /** The indexes in which it writes, or null if it writes only in the one where it is met. */
  final CellIndex @Nullable [] indexes;

  /**
   * What each index must hold unchanged until it takes effect, or null. Written once by its owner,
   * before {@link #pass}: so whoever finds this commit in an index sees it.
   */
  private StateSnapshot @Nullable [] unchanged;

  /** Starts a commit in one index. */
  Commit() {
    this(null);
  }

  /** Starts a commit in several indexes of one clock. */
  Commit(CellIndex @Nullable [] indexes) {
    super(INSTALLING);
    this.indexes = indexes;
  }

  /** Demands that nothing is written to the indexes after these snapshots and before this. */
  void follow(StateSnapshot[] snapshots) {
    unchanged = snapshots;
  }

  boolean isInstalling() {
    return get() == INSTALLING;
  }

  boolean isUndecided() {
    return get() < ABORTED;
  }

  boolean isAborted() {
    return get() == ABORTED;
  }

  /** Returns the epoch at which it took effect, if it is neither undecided nor aborted. */
  long stamp() {
    return get();
  }

  boolean install() {
    return compareAndSet(INSTALLING, INSTALLED);
  }

  /**
   * Installs a commit that is in place; whoever meets it in an index does so, too. One that has to
   * follow several snapshots first takes the place of each in its index; from then on nothing takes
   * effect there before this is decided, so that at the instant of the last step nothing has been
   * written to any of them.
   */
  void pass() {
    if (indexes != null && unchanged != null && isInstalling()) {
      for (int i = 0; i < indexes.length; i++) {
        if (!indexes[i].followStill(unchanged[i], this)) {
          compareAndSet(INSTALLING, ABORTED); // unless others have passed it and are further on
          return;
        }
      }
    }
    install();
  }

  void decide(long epoch) {
    compareAndSet(INSTALLED, epoch);
  }

  /** Gives up in whatever state it is undecided. */
  void abort() {
    if (!compareAndSet(INSTALLING, ABORTED)) {
      compareAndSet(INSTALLED, ABORTED);
    }
  }
}
