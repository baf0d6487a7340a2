package dev.stillframe.trace;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for conditions. A condition becomes true first, then {@link #wakeAll} is
 * called.
 *
 * <p>No wake-up is lost: who waits puts itself on the stack and then looks at its condition once
 * more; who wakes has made the condition true and then takes the stack. Whichever of the two comes
 * first, the other one sees it. A thread parks only if it was still on the stack after that look:
 * conditions do work, in which the thread may wake itself, and then wait for a lock, which uses up
 * that wake-up.
 */
final class Waiters {
  /**
   * How long to park at most. A thread that had to wake others may have run out of stack before it
   * could: then they look again by themselves.
   */
  private static final long LONGEST_NAP = TimeUnit.SECONDS.toNanos(1);

  /** Null, or the top of a stack of threads that wait. Pushed one by one, taken as a whole. */
  private final AtomicReference<@Nullable Waiter> top = new AtomicReference<>();

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    @Nullable Waiter below;

    /** True when pushed, false once taken; then it may be pushed again. */
    volatile boolean pushed;
  }

  /**
   * Waits until a condition holds. An interrupt does not end the wait; the flag is set again at the
   * end.
   *
   * @param condition looked at by the calling thread only
   * @param deadline as of {@link System#nanoTime}, or null to wait without end
   * @return false if the deadline came first
   */
  boolean await(BooleanSupplier condition, @Nullable Long deadline) {
    return await(condition, deadline, /* untilInterrupted= */ false);
  }

  /** Waits as {@link #await} does, but an interrupt ends the wait. The flag stays set. */
  boolean awaitUnlessInterrupted(BooleanSupplier condition, @Nullable Long deadline) {
    return await(condition, deadline, /* untilInterrupted= */ true);
  }

  private boolean await(
      BooleanSupplier condition, @Nullable Long deadline, boolean untilInterrupted) {
    if (condition.getAsBoolean()) {
      return true;
    }
    Waiter waiter = new Waiter();
    boolean interrupted = false;
    try {
      for (; ; ) {
        if (!waiter.pushed) {
          push(waiter);
        }
        // After the push, see above. Who leaves now stays on the stack until the next wakeAll,
        // which
        // is near: the condition has just become true.
        if (condition.getAsBoolean()) {
          return true;
        }
        long left = deadline == null ? Long.MAX_VALUE : deadline - System.nanoTime();
        if (left <= 0 || (interrupted && untilInterrupted)) {
          wakeAll(); // else those who give up, again and again, would pile up on the stack
          return false;
        }
        if (!waiter.pushed) {
          continue; // woken meanwhile; a lock that the condition had to wait for may have used that
        }
        LockSupport.parkNanos(this, Math.min(left, LONGEST_NAP));
        interrupted |= Thread.interrupted(); // else the next park would return at once
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void push(Waiter waiter) {
    waiter.pushed = true;
    Waiter below;
    do {
      below = top.get();
      waiter.below = below;
    } while (!top.compareAndSet(below, waiter));
  }

  void wakeAll() {
    if (top.get() == null) {
      return;
    }
    Waiter waiter = top.getAndSet(null);
    while (waiter != null) {
      Waiter below = waiter.below; // before it can be pushed again
      waiter.below = null;
      waiter.pushed = false;
      LockSupport.unpark(waiter.thread);
      waiter = below;
    }
  }
}
