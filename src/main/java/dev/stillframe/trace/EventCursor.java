package dev.stillframe.trace;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A reader's place in the history. It is used by one thread at a time. */
final class EventCursor {
  /** Where events are that the history has let go of. */
  interface Archive {
    /**
     * Reads events.
     *
     * @return those from {@code first} on, in order, as many as it likes, or none
     */
    List<TraceEvent> read(long first, long last);
  }

  private final String traceId;
  private final EventHistory history;
  private final Supplier<Instant> clock;
  private final @Nullable Archive archive;
  private final Deque<TraceEvent> fromArchive = new ArrayDeque<>();

  /** The sequence number of the event that was read last. Others may ask whether there are more. */
  private volatile long position;

  private EventHistory.@Nullable Chunk chunk;

  EventCursor(
      String traceId,
      EventHistory history,
      Supplier<Instant> clock,
      @Nullable Archive archive,
      long after) {
    this.traceId = traceId;
    this.history = history;
    this.clock = clock;
    this.archive = archive;
    this.position = after;
  }

  boolean hasNext() {
    return position < history.published();
  }

  /** Tells whether the last event was read. */
  boolean isAtEnd() {
    // Sealed first: what is published after it was read is read before the next look.
    return history.isSealed() && !hasNext();
  }

  /** Returns the next event, or a gap in place of those that are gone, or null if there is none. */
  @Nullable TraceEvent next() {
    TraceEvent archived = fromArchive.poll();
    if (archived != null) {
      return moveTo(archived);
    }
    if (!hasNext()) {
      return null;
    }
    long wanted = position + 1;
    EventHistory.Chunk at = chunk;
    for (; ; ) {
      if (at == null) {
        at = history.find(wanted);
      }
      chunk = at;
      if (wanted < at.first) {
        return readMissing(wanted, at.first - 1);
      }
      if (wanted < at.end()) {
        TraceEvent event = at.events[(int) (wanted - at.first)];
        if (event != null) {
          position = wanted;
          return event;
        }
        at = null; // the chunk was dropped
      } else {
        at = at.next;
      }
    }
  }

  private TraceEvent readMissing(long first, long last) {
    long end = last;
    if (archive != null) {
      for (TraceEvent event : archive.read(first, last)) {
        long expected = first + fromArchive.size();
        if (event.sequence() > expected || event.sequence() > last) {
          end = Math.min(last, event.sequence() - 1); // the archive has a gap before this event
          break;
        }
        if (event.sequence() == expected) { // else it was not asked for
          fromArchive.add(event);
        }
      }
      TraceEvent archived = fromArchive.poll();
      if (archived != null) {
        return moveTo(archived);
      }
    }
    return moveTo(new TraceEvent.Gap(traceId, first, end, clock.get()));
  }

  private TraceEvent moveTo(TraceEvent event) {
    position = event.sequence();
    return event;
  }
}
