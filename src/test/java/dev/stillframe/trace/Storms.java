package dev.stillframe.trace;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What storms have in common. */
final class Storms {
  private Storms() {}

  static Thread start(List<Thread> threads, Runnable body) {
    Thread thread = new Thread(body);
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Logs until refused, and counts what was accepted. */
  static void logUntilClosed(TraceNode node, AtomicLong accepted) {
    try {
      for (long i = 0; ; i++) {
        node.info("{}", i);
        accepted.incrementAndGet();
      }
    } catch (TraceClosedException closed) {
      // the storm is over for this thread
    }
  }
}
