package dev.stillframe.examples;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateKey;

/** What one conversation is replayed into. */
record Session(String name, SessionState state, ConversationTrace trace) {

  /** Is there once the conversation has come to its end. */
  static final StateKey<Boolean> ENDED = StateKey.of("ended", Boolean.class);
}
