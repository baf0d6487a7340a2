package dev.stillframe.why;

import dev.stillframe.session.EventFilter;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionService;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateSnapshot;

/** This library. */
final class StillframeCandidate implements Candidate {
  @Override
  public String name() {
    return "Stillframe";
  }

  @Override
  public State state() {
    SessionState state = SessionState.create();
    return new State() {
      @Override
      public void increment(String key) {
        state.update(key, old -> old == null ? 1L : (Long) old + 1);
      }

      @Override
      public long number(String key) {
        return (Long) state.get(key);
      }

      @Override
      public void writePair(long a, long b) {
        state.apply(StateDelta.builder().set("a", a).set("b", b).build());
      }

      @Override
      public long pairSum() {
        StateSnapshot picture = state.all();
        return (Long) picture.get("a") + (Long) picture.get("b");
      }
    };
  }

  @Override
  public Service service() {
    SessionService sessions = SessionService.inMemory();
    return new Service() {
      private SessionId id(String session) {
        return new SessionId("app", "user", session);
      }

      @Override
      public void create(String session) {
        sessions.create(id(session));
      }

      @Override
      public void delete(String session) {
        sessions.delete(id(session));
      }

      @Override
      public boolean exists(String session) {
        return sessions.find(id(session)).isPresent();
      }

      @Override
      public boolean hasEvents() {
        return true;
      }

      @Override
      public Handle handle(String session) {
        Session handle = sessions.get(id(session), EventFilter.all());
        return event -> handle.append(SessionEvent.builder("agent").content(event).build());
      }

      @Override
      public int events(String session) {
        return sessions.get(id(session)).events().size();
      }
    };
  }
}
