package dev.stillframe.session;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a session at one instant. It never changes; an append makes a new one that goes on
 * from the last event, so that its cost does not depend on how many there are.
 *
 * @param version how often the session was appended to or rewound
 * @param sequence the highest sequence number that was given
 * @param count how many events there are
 * @param bytes how large they are, estimated, with what the session was created with
 * @param lastChanged when this came to be
 * @param last the last event, or null if there is none
 */
record History(
    long version,
    long sequence,
    int count,
    long bytes,
    Instant lastChanged,
    @Nullable EventNode last) {

  /** Returns what a session begins with that is forked after an event. */
  static History upTo(EventNode last, long initialBytes, Instant at) {
    int count = 0;
    long bytes = initialBytes;
    for (EventNode n = last; n != null; n = n.previous) {
      count++;
      bytes += n.bytes;
    }
    return new History(0, last.event.sequence(), count, bytes, at, last);
  }

  History with(EventNode node, Instant at) {
    return new History(
        version + 1, node.event.sequence(), count + 1, bytes + node.bytes, later(at), node);
  }

  /** Returns this without the events after one. */
  History backTo(EventNode target, int undone, long removed, Instant at) {
    return new History(version + 1, sequence, count - undone, bytes - removed, later(at), target);
  }

  /** The clock is read before the lock is held, so that it may show less than somebody else saw. */
  private Instant later(Instant at) {
    return at.isAfter(lastChanged) ? at : lastChanged;
  }

  List<SessionEvent> events(EventFilter filter) {
    List<SessionEvent> newestFirst = new ArrayList<>();
    for (EventNode n = last; n != null && newestFirst.size() < filter.newest(); n = n.previous) {
      if (filter.admits(n.event)) {
        newestFirst.add(n.event);
      }
    }
    Collections.reverse(newestFirst);
    return Collections.unmodifiableList(newestFirst);
  }

  @Nullable EventNode find(String eventId) {
    EventNode node = last;
    while (node != null && !node.event.id().equals(eventId)) {
      node = node.previous;
    }
    return node;
  }
}
