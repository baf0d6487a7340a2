package dev.stillframe.session;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateFamily;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What the sessions of an app share: the clock of their states, and the {@code app:} keys. */
final class AppScope {
  final InMemorySessionService service;
  final String id;
  final StateFamily family = StateFamily.create();
  final SessionState state = family.newState();
  final ConcurrentHashMap<String, UserScope> users = new ConcurrentHashMap<>();

  AppScope(InMemorySessionService service, String id) {
    this.service = service;
    this.id = id;
  }

  Stream<StoredSession> sessions() {
    return users.values().stream().flatMap(user -> user.sessions.values().stream());
  }

  UserScope user(String user) {
    return users.computeIfAbsent(user, name -> new UserScope(this, name));
  }
}
