package dev.stillframe.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What a state holds of one key. All of it hangs on one reference, the head, which changes by
 * compare-and-set only:
 *
 * <pre>
 *  bare value   the key has this value, for everybody who is looking and for all who will come
 *  Version      the key has this value, but an open snapshot still needs what was there before
 *  Pending      a write is in place but has not taken effect
 *  DEAD         the key is absent; this cell is out of the index, or about to be taken out
 *
 *  (new cell)          to  Pending                       a write to an absent key
 *  bare value, Version to  Pending                       a write to a present key
 *  Pending             to  bare value, Version, DEAD     it takes effect
 *  Pending             to  what it replaced, or DEAD     it is withdrawn
 *  Version             to  bare value, DEAD, Version     what no snapshot needs is let go
 *  DEAD                                                  final
 * </pre>
 *
 * <p>Equal heads may come back (a value, another, the first again). A compare-and-set on such a
 * head is right all the same: what it replaces is what the writer has seen.
 */
final class Cell {
  static final Object DEAD = new Object();

  private static final VarHandle HEAD =
      VarHandles.find(MethodHandles.lookup(), "head", Object.class);

  @SuppressWarnings("FieldMayBeFinal") // written through HEAD
  private volatile Object head;

  Cell(Object head) {
    this.head = head;
  }

  Object head() {
    return head;
  }

  boolean compareAndSet(Object expected, Object head) {
    return HEAD.compareAndSet(this, expected, head);
  }

  /**
   * Tells whether a head is the value itself. Asked of each final class by itself, since that is
   * one comparison; a common superclass would cost a load more, on every read.
   */
  static boolean isBare(Object head) {
    return !(head instanceof Version || head instanceof Pending || head == DEAD);
  }

  /** Returns the value that a settled head (not a Pending) or null stands for; null is absent. */
  static @Nullable Object valueOf(@Nullable Object settled) {
    if (settled instanceof Version version) {
      return version.value;
    }
    return settled == DEAD ? null : settled;
  }

  /** Returns the value that a settled head or null had for the snapshot of an epoch. */
  static @Nullable Object valueAt(@Nullable Object settled, long epoch) {
    Object at = settled;
    while (at instanceof Version version) {
      if (version.stamp < epoch) {
        return version.value;
      }
      at = version.older;
    }
    return at == DEAD ? null : at;
  }

  /**
   * A value with the epoch at which it took effect: the snapshots of that epoch and of all before
   * it do not see it.
   */
  static final class Version {
    /** Null if the key was removed. */
    final @Nullable Object value;

    final long stamp;

    /** What those see that do not see this: a bare value, a Version, or null for absent. */
    final @Nullable Object older;

    Version(@Nullable Object value, long stamp, @Nullable Object older) {
      this.value = value;
      this.stamp = stamp;
      this.older = older;
    }
  }

  /** A write that is in place but has not taken effect. */
  static final class Pending {
    /** Null if the key is to be removed. */
    final @Nullable Object value;

    /** The head that it replaced: a bare value, a Version, or null if the cell is new. */
    final @Nullable Object older;

    /** The write over several keys of which this is a part, or null if it stands alone. */
    final @Nullable Commit commit;

    Pending(@Nullable Object value, @Nullable Object older, @Nullable Commit commit) {
      this.value = value;
      this.older = older;
      this.commit = commit;
    }

    /** Tells whether others have to look past it, since keys of its commit are still missing. */
    boolean isInstalling() {
      return commit != null && commit.isInstalling();
    }
  }
}
