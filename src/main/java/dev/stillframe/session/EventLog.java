package dev.stillframe.session;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateFamily;
import dev.stillframe.state.StateSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of a session: its {@link History}, as the one value of a state, so that it changes at
 * one instant with what the events change. There is one only once a session has had an event.
 */
final class EventLog {
  private static final String HISTORY = "history";

  private final StateFamily family;
  private final SessionState state;

  /** The events by id; guarded by the lock of the session. */
  private final Map<String, EventNode> nodes = new HashMap<>();

  /** Starts a log. */
  EventLog(StateFamily family, History begun) {
    this.family = family;
    state = family.newState();
    state.set(HISTORY, begun);
    for (EventNode n = begun.last(); n != null; n = n.previous) {
      nodes.put(n.event.id(), n);
    }
  }

  /** Returns the events as they are now. */
  History history() {
    return (History) state.require(HISTORY);
  }

  /** Returns an event. Called under the lock. */
  @Nullable EventNode find(String eventId) {
    return nodes.get(eventId);
  }

  /**
   * Adds an event and makes its changes, at one instant. Called under the lock.
   *
   * @param areOwn whether the delta changes no key but the session's own
   */
  void append(SessionState view, StateDelta delta, boolean areOwn, EventNode node, History next) {
    if (delta.isEmpty()) {
      state.set(HISTORY, next);
    } else {
      Map<SessionState, StateDelta> changes = Map.of(view, delta, state, to(next));
      if (areOwn) {
        family.apply(changes);
      } else {
        StateDelta before = family.exchange(changes).getOrDefault(view, StateDelta.empty());
        node.replaced(Scopes.only(before, Scopes::isShared));
      }
    }
    nodes.put(node.event.id(), node);
  }

  private static StateDelta to(History history) {
    return StateDelta.of(HISTORY, history);
  }

  /** Looks at the events and at a state at one instant. */
  Picture picture(SessionState view) {
    List<StateSnapshot> both = family.all(view, state);
    return new Picture((History) both.get(1).require(HISTORY), both.get(0), both.get(1));
  }

  /**
   * Events and state at one instant.
   *
   * @param history the events
   * @param state the state
   * @param log what holds the events
   */
  record Picture(History history, StateSnapshot state, StateSnapshot log) {}

  /**
   * Takes back events and restores keys, at one instant, if neither the events nor these keys were
   * written since a picture. Called under the lock.
   */
  boolean rewind(
      Picture since, SessionState view, StateDelta restored, List<String> undone, History next) {
    boolean done =
        family.applyIfUnchanged(
            Map.of(view, since.state, state, since.log), Map.of(view, restored, state, to(next)));
    if (done) {
      undone.forEach(nodes::remove);
    }
    return done;
  }
}
