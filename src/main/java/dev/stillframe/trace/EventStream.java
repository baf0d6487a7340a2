package dev.stillframe.trace;

import dev.stillframe.StillframeException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The events of a trace for one thread, which waits for the next one. */
final class EventStream implements Iterator<TraceEvent> {
  private final EventCursor cursor;
  private final WorkerRole role;
  private @Nullable TraceEvent next;

  /** False to true: the stream was closed, by any thread. */
  private volatile boolean closed;

  EventStream(EventCursor cursor, WorkerRole role) {
    this.cursor = cursor;
    this.role = role;
  }

  Stream<TraceEvent> asStream() {
    int traits = Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false)
        .onClose(this::close);
  }

  private void close() {
    closed = true;
    role.wakeAll();
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      if (!role.awaitUnlessInterrupted(
          () -> closed || cursor.hasNext() || cursor.isAtEnd(), null)) {
        throw new StillframeException(
            "A thread must not be interrupted while it waits for the next event of a trace; "
                + Thread.currentThread()
                + " was");
      }
      next = closed ? null : cursor.next();
    }
    return next != null;
  }

  @Override
  public TraceEvent next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("There is no event after the last one");
    }
    TraceEvent event = next;
    next = null;
    return event;
  }
}
