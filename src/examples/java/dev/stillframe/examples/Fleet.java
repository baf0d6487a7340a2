package dev.stillframe.examples;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateSnapshot;

/**
 * Totals over all conversations, in one state that all threads update. Each total has a key of its
 * own, and they are written in a fixed order: a part before the whole it belongs to, a start before
 * its end. A snapshot must never show the later write without the earlier one.
 */
final class Fleet {
  static final String MESSAGES = "messages";
  static final String STARTED = "conversations.started";
  static final String ENDED = "conversations.ended";
  private static final String TOOL_CALLS = "toolCalls";
  private static final String CHECKSUM = "checksum";

  private final SessionState state;

  Fleet(SessionState state) {
    this.state = state;
  }

  void conversationStarted() {
    add(STARTED, 1);
  }

  void conversationEnded() {
    add(ENDED, 1);
  }

  void messagePlayed(Message message) {
    add(message.role().counterKey(), 1);
    add(TOOL_CALLS, message.toolCalls().size());
    add(CHECKSUM, message.checksum());
    add(MESSAGES, 1);
  }

  private void add(String key, long amount) {
    state.update(key, old -> old == null ? amount : (Long) old + amount);
  }

  StateSnapshot snapshot() {
    return state.all();
  }

  static long count(StateSnapshot snapshot, String key) {
    Object value = snapshot.get(key);
    return value == null ? 0 : (Long) value;
  }

  Totals totals() {
    return totals(snapshot());
  }

  static Totals totals(StateSnapshot snapshot) {
    return new Totals(
        count(snapshot, ENDED),
        Totals.byRole(role -> count(snapshot, role.counterKey())),
        count(snapshot, TOOL_CALLS),
        count(snapshot, CHECKSUM));
  }
}
