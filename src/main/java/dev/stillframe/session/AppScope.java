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

  /** Returns a user, who is kept until {@link #unpin} is called as often. */
  UserScope pin(String user) {
    return users.compute(
        user,
        (name, known) -> {
          UserScope pinned = known == null ? new UserScope(this, name) : known;
          pinned.pins++;
          return pinned;
        });
  }

  /** Forgets a user who has no sessions and no keys any more. */
  void unpin(UserScope user) {
    users.computeIfPresent(
        user.id, (name, known) -> --known.pins == 0 && known.state.size() == 0 ? null : known);
  }
}
