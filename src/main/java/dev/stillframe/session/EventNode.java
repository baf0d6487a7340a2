package dev.stillframe.session;

import dev.stillframe.state.StateDelta;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A stored event, and what came before it. */
final class EventNode {
  final SessionEvent event;
  final @Nullable EventNode previous;

  /** How many bytes it takes, estimated; 0 if the service does not want to know. */
  final long bytes;

  /**
   * What the {@code app:} and {@code user:} keys held that it changed. Written once, by who appends
   * it, under the lock of the session, after it has taken effect; so a rewind, which reads it, has
   * to have held the lock since it saw this event.
   */
  private StateDelta sharedBefore = StateDelta.empty();

  EventNode(SessionEvent event, @Nullable EventNode previous, long bytes) {
    this.event = event;
    this.previous = previous;
    this.bytes = bytes;
  }

  StateDelta sharedBefore() {
    return sharedBefore;
  }

  void replaced(StateDelta before) {
    sharedBefore = before;
  }

  /** Returns this event and all before it, the first one first. */
  Deque<SessionEvent> fromTheStart() {
    Deque<SessionEvent> events = new ArrayDeque<>();
    for (EventNode n = this; n != null; n = n.previous) {
      events.push(n.event);
    }
    return events;
  }
}
