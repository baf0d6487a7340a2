package dev.stillframe.session;

import dev.stillframe.state.StateDelta;

/** What a part of the contract suite needs. */
public interface SessionContract {
  String APP = "travel";
  String USER = "user-7";
  SessionId ID = new SessionId(APP, USER, "s1");

  /** The service under test: without sessions when the test begins. */
  SessionService service();

  /** The same sessions through another service, if the implementation shares them. */
  default SessionService fresh() {
    return service();
  }

  /** The clock that the service goes by. */
  TestClock clock();

  default boolean can(Capability capability) {
    return true;
  }

  /** Returns a session as somebody sees it who has not had anything to do with it. */
  default Session get(SessionId id) {
    return fresh().get(id);
  }

  /** An event with an id, which changes what is given: keys and values in turn, null removes. */
  static SessionEvent event(String id, Object... changes) {
    return SessionEvent.builder("agent").id(id).delta(delta(changes)).build();
  }

  static StateDelta delta(Object... changes) {
    StateDelta.Builder delta = StateDelta.builder();
    for (int i = 0; i < changes.length; i += 2) {
      if (changes[i + 1] == null) {
        delta.remove((String) changes[i]);
      } else {
        delta.set((String) changes[i], changes[i + 1]);
      }
    }
    return delta.build();
  }

  static java.util.List<String> ids(Session session) {
    return session.events().stream().map(SessionEvent::id).toList();
  }
}
