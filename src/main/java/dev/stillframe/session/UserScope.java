package dev.stillframe.session;

import dev.stillframe.state.SessionState;
import java.util.concurrent.ConcurrentHashMap;

/** What the sessions of a user in an app share: the {@code user:} keys. */
final class UserScope {
  final AppScope app;
  final String id;
  final SessionState state;
  final ConcurrentHashMap<String, StoredSession> sessions = new ConcurrentHashMap<>();

  /** How many sessions it has or is about to get; changed in {@link AppScope} under its key. */
  int pins;

  UserScope(AppScope app, String id) {
    this.app = app;
    this.id = id;
    state = app.family.newState();
  }
}
