package dev.stillframe.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hands the events of a trace to its store, in order, on a thread of the library's while there are
 * any. It reads the history as a subscriber does, outside the worker role, so that a store that
 * blocks holds up nobody but producers who find no room.
 *
 * <pre>
 *  active:  false  to  true    there are events to write, and a thread is to write them
 *           true   to  false   that thread has written all; it then looks once more, so that an
 *                              event is not left lying that was published before it said so
 * </pre>
 */
final class StoreWriter implements Runnable {
  private static final int BATCH = 256;

  private final String traceId;
  private final TraceStore store;
  private final EventHistory history;
  private final LongFunction<EventCursor> cursorAfter;
  private final Runnable progress;
  private final AtomicBoolean active = new AtomicBoolean();
  private final AtomicBoolean reported = new AtomicBoolean();
  private final AtomicLong failedWrites = new AtomicLong();

  /** The thread that is writing, or null. */
  private volatile @Nullable Thread thread;

  /**
   * Creates a writer.
   *
   * @param cursorAfter makes a cursor that stands behind a sequence number
   * @param progress is run after each batch
   */
  StoreWriter(
      String traceId,
      TraceStore store,
      EventHistory history,
      LongFunction<EventCursor> cursorAfter,
      Runnable progress) {
    this.traceId = traceId;
    this.store = store;
    this.history = history;
    this.cursorAfter = cursorAfter;
    this.progress = progress;
  }

  void wake() {
    if (isBehind() && active.compareAndSet(false, true)) {
      Threads.run(this);
    }
  }

  private boolean isBehind() {
    return history.unwritten() > 0;
  }

  boolean isDone() {
    return history.isSealed() && !isBehind();
  }

  /** Tells whether the calling thread is in the store, so that it must not wait for it. */
  boolean isWritingHere() {
    return thread == Thread.currentThread();
  }

  long failedWrites() {
    return failedWrites.get();
  }

  @Override
  public void run() {
    do {
      thread = Thread.currentThread();
      try {
        writeAll();
      } finally {
        thread = null;
        active.set(false);
      }
    } while (isBehind() && active.compareAndSet(false, true));
  }

  private void writeAll() {
    EventCursor cursor = cursorAfter.apply(history.written());
    List<TraceEvent> batch = new ArrayList<>();
    for (; ; ) {
      TraceEvent event = batch.size() < BATCH ? cursor.next() : null;
      if (event != null) {
        batch.add(event);
      } else if (batch.isEmpty()) {
        return;
      } else {
        long last = batch.get(batch.size() - 1).sequence();
        write(List.copyOf(batch));
        batch.clear();
        history.written(last);
        progress.run();
      }
    }
  }

  private void write(List<TraceEvent> batch) {
    try {
      store.append(traceId, batch);
    } catch (Throwable thrown) {
      failedWrites.addAndGet(batch.size());
      if (reported.compareAndSet(false, true)) {
        Threads.warn(
            "The store of trace '" + traceId + "' failed to write; further failures are counted",
            thrown);
      }
    }
  }
}
