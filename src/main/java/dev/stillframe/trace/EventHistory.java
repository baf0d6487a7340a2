package dev.stillframe.trace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The events of a trace, in chunks. It is written in the worker role only, and read by any number
 * of {@link EventCursor}s, which need no lock:
 *
 * <pre>
 *  published   only grows: a reader looks at no event behind it. It is written after the event and,
 *              if need be, the link to its chunk.
 *  sealed      false to true, with the last publication: no event will follow.
 *  oldest      only moves on: retention drops the oldest chunk, and empties it, so that a reader
 *              which is still in it keeps nothing alive. The reader finds null where it knows that
 *              an event was published, starts anew from the oldest, and sees what it has missed.
 * </pre>
 */
final class EventHistory {
  private static final int FIRST_CHUNK = 4;
  private static final int LARGEST_CHUNK = 256;

  private final long retainedCount;
  private final long retainedBytes;

  private volatile Chunk oldest;
  private volatile long published;
  private volatile boolean sealed;

  /** The newest event that the store has, or that it never will; retention keeps what is newer. */
  private volatile long written = Long.MAX_VALUE;

  // The worker role's.
  private Chunk newest;
  private long sequence;
  private long bytes;

  /** Some events, side by side. */
  static final class Chunk {
    /** The sequence number of the first one. */
    final long first;

    /** From null to an event, and back to null when the chunk is dropped. */
    final @Nullable TraceEvent[] events;

    /** From null to the next chunk, and back to null when this one is dropped. */
    @Nullable Chunk next;

    /**
     * The sequence number behind the last one. It moves back, to what was appended, as numbers are
     * left out behind it. Who reads the older one meanwhile looks for an event before that place.
     */
    private long end;

    /** The worker role's. */
    long bytes;

    Chunk(long first, int capacity) {
      this.first = first;
      this.events = new TraceEvent[capacity];
      end = first + capacity;
    }

    long end() {
      return end;
    }
  }

  EventHistory(long retainedCount, long retainedBytes) {
    this.retainedCount = retainedCount;
    this.retainedBytes = retainedBytes;
    newest = new Chunk(1, FIRST_CHUNK);
    oldest = newest;
  }

  /** Returns the number that the next event gets. For the worker role. */
  long nextSequence() {
    return sequence + 1;
  }

  /** Adds an event, which nobody sees yet. For the worker role. */
  void append(TraceEvent event) {
    if (event.sequence() != sequence + 1) {
      throw new AssertionError("event " + event.sequence() + " must follow event " + sequence);
    }
    if (event.sequence() >= newest.end()) {
      int capacity = Math.min(LARGEST_CHUNK, newest.events.length * 2);
      Chunk chunk = new Chunk(event.sequence(), capacity);
      newest.next = chunk;
      newest = chunk;
    }
    newest.events[(int) (event.sequence() - newest.first)] = event;
    sequence++;
    if (retainedBytes != Long.MAX_VALUE) {
      long size = EventSize.of(event);
      newest.bytes += size;
      bytes += size;
    }
  }

  /**
   * Leaves out the numbers up to one, since their events are lost. An event must follow before the
   * next publication. For the worker role.
   */
  void skip(long upTo) {
    newest.end = sequence + 1;
    sequence = upTo;
  }

  /** Shows everybody what was appended. For the worker role. */
  void publish() {
    if (published != sequence) {
      published = sequence;
      retain();
    }
  }

  /** Shows everybody what was appended, and that nothing will follow. For the worker role. */
  void seal() {
    publish();
    sealed = true;
  }

  private void retain() {
    Chunk dropped = oldest;
    while (dropped.next != null
        && dropped.end() - 1 <= written
        && (sequence - dropped.end() + 1 >= retainedCount || bytes > retainedBytes)) {
      Chunk next = dropped.next;
      oldest = next; // first, so that who finds the chunk empty also finds the new oldest one
      bytes -= dropped.bytes;
      dropped.next = null;
      Arrays.fill(dropped.events, null);
      dropped = next;
    }
  }

  /** Says up to where a store has the events; before the first call there is no store. */
  void written(long sequence) {
    written = sequence;
  }

  long written() {
    return written;
  }

  /** Counts the events that a store does not have yet. */
  long unwritten() {
    return Math.max(0, published - written);
  }

  long published() {
    return published;
  }

  boolean isSealed() {
    return sealed;
  }

  /** Returns the oldest sequence number that is kept. */
  long oldest() {
    return oldest.first;
  }

  /** Finds the chunk of a published event, or, if that was dropped, the oldest chunk. */
  Chunk find(long sequence) {
    Chunk chunk = oldest;
    while (sequence >= chunk.end()) {
      Chunk next = chunk.next;
      chunk = next == null ? oldest : next; // dropped under our feet: start anew
    }
    return chunk;
  }
}
