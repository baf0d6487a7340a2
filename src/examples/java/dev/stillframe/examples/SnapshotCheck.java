package dev.stillframe.examples;

import dev.stillframe.session.SessionSnapshot;
import dev.stillframe.state.StateSnapshot;
import org.jspecify.annotations.Nullable;

/** Finds out whether a snapshot shows a state as it was at one instant. Null means that it does. */
final class SnapshotCheck {

  private SnapshotCheck() {}

  /** Checks that a session shows one whole step, and the events that led to it. */
  static @Nullable String problemInSession(SessionSnapshot session) {
    StateSnapshot state = session.state();
    int steps = number(state) + (state.get(ReplayedSession.ENDED) == null ? 0 : 1);
    return session.info().eventCount() == steps
        ? problemInSession(state)
        : "step " + steps + " must have as many events, but has " + session.info().eventCount();
  }

  /** Checks that a session's state shows one whole step. */
  static @Nullable String problemInSession(StateSnapshot snapshot) {
    if (!Step.isIn(snapshot)) {
      return null; // before the first one
    }
    for (String key : Step.KEYS) {
      if (snapshot.get(key) == null) {
        return "the key '" + key + "' must be there from the first step on, but is absent";
      }
    }
    Step step = Step.readFrom(snapshot);
    long openCalls =
        snapshot.stream().filter(entry -> entry.getKey().startsWith(Step.OPEN_CALL_PREFIX)).count();
    if (step.messageSum() != step.number()) {
      return "step " + step.number() + " must have as many messages, but has " + step.messages();
    }
    if (step.openCalls() != openCalls) {
      return "step "
          + step.number()
          + " must show "
          + step.openCalls()
          + " calls, not "
          + openCalls;
    }
    if (step.seal() != Step.sealIn(snapshot)) {
      return "step " + step.number() + " must have the seal of all its keys, but has another";
    }
    return null;
  }

  /** Checks that a session does not go back. */
  static @Nullable String problemBetween(StateSnapshot older, StateSnapshot newer) {
    int before = number(older);
    int now = number(newer);
    return now >= before ? null : "step " + now + " must not follow step " + before;
  }

  /** Checks that the fleet's snapshot shows no later write without the earlier one. */
  static @Nullable String problemInFleet(StateSnapshot snapshot) {
    String messages =
        outOfStep(
            "messages",
            Fleet.totals(snapshot).messageCount(),
            Fleet.count(snapshot, Fleet.MESSAGES),
            Replay.THREADS);
    return messages != null
        ? messages
        : outOfStep(
            "conversations",
            Fleet.count(snapshot, Fleet.STARTED),
            Fleet.count(snapshot, Fleet.ENDED),
            Replay.OPEN_AT_ONCE);
  }

  private static @Nullable String outOfStep(String what, long first, long second, int most) {
    long between = first - second;
    return between >= 0 && between <= most
        ? null
        : "the "
            + what
            + " counted first must be 0 to "
            + most
            + " more than those counted second, but are "
            + first
            + " and "
            + second;
  }

  /** Checks that the fleet, looked at first, is not ahead of its sessions, looked at afterwards. */
  static @Nullable String problemAhead(StateSnapshot fleet, long messagesInSessions) {
    long messages = Fleet.count(fleet, Fleet.MESSAGES);
    return messages <= messagesInSessions
        ? null
        : "must not count more messages than its sessions have, but counts "
            + messages
            + " of "
            + messagesInSessions;
  }

  static int number(StateSnapshot snapshot) {
    Integer number = snapshot.get(Step.NUMBER);
    return number == null ? 0 : number;
  }
}
