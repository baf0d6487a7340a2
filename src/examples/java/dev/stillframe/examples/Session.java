package dev.stillframe.examples;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateKey;

/** The state that one conversation is replayed into. */
record Session(String name, SessionState state) {

  /** Is there once the conversation has come to its end. */
  static final StateKey<Boolean> ENDED = StateKey.of("ended", Boolean.class);
}
