package dev.stillframe.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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

  /** With the event that reaches it a batch ends, since a store needs memory for all of it. */
  private static final long BATCH_BYTES = 1 << 20;

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

  /**
   * Makes durable what is written, on a thread of the library's, since a disk may hang. Then it
   * tells whether that is all that was to be written so far.
   */
  void flush(Consumer<Boolean> end) {
    Threads.run(
        () -> {
          end.accept(attempt(() -> store.flush(traceId)) && health().failedWrites() == 0);
          progress.run();
        });
  }

  @Override
  public void run() {
    do {
      thread = Thread.currentThread();
      try {
        writeAll();
        if (isAtEnd() && !released) {
          attempt(() -> store.release(traceId));
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
    long bytes = 0;
    for (; ; ) {
      boolean isFull = batch.size() == BATCH || bytes >= BATCH_BYTES;
      TraceEvent event = isFull ? null : cursor.next();
      if (event != null) {
        batch.add(event);
        bytes += EventSize.of(event);
      } else if (batch.isEmpty()) {
        return;
      } else {
        write(List.copyOf(batch));
        batch.clear();
        bytes = 0;
      }
    }
  }

  /** Offers events that are refused together one by one, so that one takes no other with it. */
  private void write(List<TraceEvent> events) {
    try {
      store.append(traceId, events);
      health.updateAndGet(StoreHealth::afterSuccess);
    } catch (Throwable thrown) {
      if (events.size() > 1) {
        events.forEach(event -> write(List.of(event)));
        return;
      }
      failed(1, thrown);
    }
    history.written(events.get(events.size() - 1).sequence());
    progress.run();
  }

  /** A call of the store. */
  private interface Call {
    void run() throws Exception;
  }

  private boolean attempt(Call call) {
    try {
      call.run();
      return true;
    } catch (Throwable thrown) {
      failed(0, thrown);
      return false;
    }
  }

  private void failed(int events, Throwable thrown) {
    health.updateAndGet(before -> before.afterFailure(events, thrown));
    if (reported.compareAndSet(false, true)) {
      Threads.warn(
          "The store of trace '" + traceId + "' failed; further failures are counted", thrown);
    }
  }
}
