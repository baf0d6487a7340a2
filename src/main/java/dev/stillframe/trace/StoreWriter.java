package dev.stillframe.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hands the events of a trace to its store, in order, on a thread of the library's while there are
 * any, and then lets go of the store. It reads the history as a subscriber does, outside the worker
 * role, so that a store that blocks holds up nobody but producers who find no room.
 *
 * <pre>
 *  active:    false  to  true    there is something to do, and a thread is to do it
 *             true   to  false   that thread has done all; it then looks once more, so that an
 *                                event is not left lying that was published before it said so
 *  released:  false  to  true    no event will follow, and the store was told; by the active thread
 * </pre>
 */
final class StoreWriter implements Runnable {
  private static final int BATCH = 256;

  private final String traceId;
  private final TraceStore store;
  private final EventHistory history;
  private final LongFunction<EventCursor> cursorAfter;
  private final Runnable progress;

  private final Flag active = new Flag();

  private final AtomicBoolean reported = new AtomicBoolean();
  private final AtomicReference<StoreHealth> health = new AtomicReference<>(StoreHealth.GOOD);

  private volatile boolean released;

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
    if (hasWork() && active.take()) {
      boolean submitted = false;
      try {
        Threads.run(this);
        submitted = true;
      } finally {
        if (!submitted) {
          active.taken = false; // a plain assignment, which succeeds even when the stack is used up
        }
      }
    }
  }

  private boolean isBehind() {
    return history.unwritten() > 0;
  }

  /** Tells whether all is written, and nothing will follow. Sealed first: see EventCursor. */
  private boolean isAtEnd() {
    return history.isSealed() && !isBehind();
  }

  private boolean hasWork() {
    return isBehind() || (isAtEnd() && !released);
  }

  boolean isDone() {
    return released;
  }

  /** Tells whether the calling thread is in the store, so that it must not wait for it. */
  boolean isWritingHere() {
    return thread == Thread.currentThread();
  }

  StoreHealth health() {
    return Objects.requireNonNull(health.get());
  }

  /** Makes what is written durable. Tells whether that is all that was to be written so far. */
  boolean flush() {
    return attempt(0, () -> store.flush(traceId)) && health().failedWrites() == 0;
  }

  @Override
  public void run() {
    do {
      thread = Thread.currentThread();
      try {
        writeAll();
        if (isAtEnd() && !released) {
          attempt(0, () -> store.release(traceId));
          released = true;
          progress.run();
        }
      } finally {
        thread = null;
        active.taken = false;
      }
    } while (hasWork() && active.take());
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
        List<TraceEvent> events = List.copyOf(batch);
        if (attempt(events.size(), () -> store.append(traceId, events))) {
          health.updateAndGet(StoreHealth::afterSuccess);
        }
        batch.clear();
        history.written(last);
        progress.run();
      }
    }
  }

  /** A call of the store. */
  private interface Call {
    void run() throws Exception;
  }

  private boolean attempt(int events, Call call) {
    try {
      call.run();
      return true;
    } catch (Throwable thrown) {
      health.updateAndGet(before -> before.afterFailure(events, thrown));
      if (reported.compareAndSet(false, true)) {
        Threads.warn(
            "The store of trace '" + traceId + "' failed; further failures are counted", thrown);
      }
      return false;
    }
  }
}
