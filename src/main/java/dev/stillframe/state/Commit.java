package dev.stillframe.state;

import java.util.concurrent.atomic.AtomicLong;

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
 *  INSTALLING to ABORTED     by its owner: a key had not the expected value
 *  INSTALLED  to stamp       by anybody
 *  INSTALLED  to ABORTED     by its owner: the index was closed before anybody decided
 * </pre>
 */
@SuppressWarnings("serial") // AtomicLong is Serializable by accident; this is never written
final class Commit extends AtomicLong {
  private static final long INSTALLING = -2;
  private static final long INSTALLED = -1;
  private static final long ABORTED = 0;

  Commit() {
    super(INSTALLING);
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
