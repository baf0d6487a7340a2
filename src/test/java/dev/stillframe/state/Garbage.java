package dev.stillframe.state;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What is still reachable, as the garbage collector tells. */
final class Garbage {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

  private Garbage() {}

  static void awaitCollected(WeakReference<?> reference) {
    awaitAtMost(0, List.of(reference));
  }

  /** Waits until no more than some of the references have their referents left. */
  static void awaitAtMost(int left, Collection<? extends Reference<?>> references) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (; ; ) {
      System.gc();
      long reachable = references.stream().filter(r -> !r.refersTo(null)).count();
      if (reachable <= left) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "Still reachable: " + reachable + " of " + references.size() + ", expected " + left);
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** Returns the bytes in use once the collector finds nothing more to free. */
  static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int unchanged = 0; unchanged < 2; ) {
      System.gc();
      long used = runtime.totalMemory() - runtime.freeMemory();
      unchanged = used < least - 50_000 ? 0 : unchanged + 1;
      least = Math.min(least, used);
    }
    return least;
  }
}
