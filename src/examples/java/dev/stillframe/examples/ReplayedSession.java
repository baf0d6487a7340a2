package dev.stillframe.examples;

import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateKey;

/** What one conversation is replayed into: an event for each message, and a trace. */
record ReplayedSession(String name, Session session, ConversationTrace trace) {

  /** Is there once the conversation has come to its end. */
  static final StateKey<Boolean> ENDED = StateKey.of("ended", Boolean.class);

  /**
   * Appends an event, and makes its changes, at one instant. It is refused if anybody else has
   * appended since the steps before.
   */
  void append(String author, StateDelta delta, int stepsBefore) {
    session.append(SessionEvent.builder(author).delta(delta).build(), stepsBefore);
  }
}
