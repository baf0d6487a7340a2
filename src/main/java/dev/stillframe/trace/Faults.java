package dev.stillframe.trace;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What went wrong in a trace without reaching a caller: each is counted, each kind logged once. */
final class Faults {
  private static final int COMMAND = 1;
  private static final int SUBSCRIBER = 2;
  private static final int STORE = 4;
  private static final int CLOCK = 8;
  private static final int CLOSE = 16;

  private final String traceId;
  private final AtomicLong commands = new AtomicLong();
  private final AtomicLong subscribers = new AtomicLong();

  /** The kinds that have been logged. Only grows. */
  private final AtomicInteger logged = new AtomicInteger();

  Faults(String traceId) {
    this.traceId = traceId;
  }

  /** A command failed, by a fault of this library. For the worker role, in which no logger runs. */
  void commandFailed(Throwable thrown) {
    commands.incrementAndGet();
    try {
      Threads.own().execute(() -> log(COMMAND, "A command of trace '%s' failed", thrown));
    } catch (Throwable noThread) {
      // it is counted
    }
  }

  void subscriberThrew(Throwable thrown) {
    subscribers.incrementAndGet();
    log(SUBSCRIBER, "A subscriber of trace '%s' threw; further failures are counted", thrown);
  }

  void storeFailedToRead(Throwable thrown) {
    log(STORE, "The store of trace '%s' failed to read", thrown);
  }

  void clockFailed(Throwable thrown) {
    log(CLOCK, "The clock of trace '%s' failed", thrown);
  }

  /** A close gave up waiting for the store. */
  void closeTimedOut(long unwritten, Duration timeout) {
    log(
        CLOSE,
        "Trace '%s' was released while " + unwritten + " events were not written within " + timeout,
        null);
  }

  private void log(int kind, String message, @Nullable Throwable thrown) {
    if ((logged.getAndUpdate(kinds -> kinds | kind) & kind) == 0) {
      Threads.warn(String.format(message, traceId), thrown);
    }
  }

  long commands() {
    return commands.get();
  }

  long subscribers() {
    return subscribers.get();
  }
}
