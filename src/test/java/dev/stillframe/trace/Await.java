package dev.stillframe.trace;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, for a bounded time. */
final class Await {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited " + BOUND + " in vain until " + what);
      }
      Thread.yield();
    }
  }

  static void latch(CountDownLatch latch) {
    try {
      if (!latch.await(BOUND.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("waited " + BOUND + " in vain for a latch at " + latch.getCount());
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static void join(Iterable<Thread> threads) {
    for (Thread thread : threads) {
      until(thread + " ends", () -> !thread.isAlive());
    }
  }

  /** Waits until a thread is parked. */
  static void parked(Thread thread) {
    until(
        thread + " waits",
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
  }
}
