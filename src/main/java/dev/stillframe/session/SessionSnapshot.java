package dev.stillframe.session;

import dev.stillframe.state.StateSnapshot;
import java.util.List;
import java.util.Objects;

/**
 * A session at one instant: an event is there exactly if what it changed is. It never changes and
 * keeps no hold on the session.
 *
 * @param info the session
 * @param state the keys of all scopes; {@code temp:} keys are those of the handle that was asked
 * @param events the events that the handle's filter passes, in the order of their sequence numbers
 */
public record SessionSnapshot(SessionInfo info, StateSnapshot state, List<SessionEvent> events) {

  /** Copies the list. */
  public SessionSnapshot {
    Objects.requireNonNull(info, "info");
    Objects.requireNonNull(state, "state");
    events = List.copyOf(events);
  }
}
