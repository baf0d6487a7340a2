package dev.stillframe.session;

import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateSnapshot;
import java.time.Instant;
import java.util.List;

/** A handle of a session in memory. */
final class SessionHandle implements Session {
  private static final long ANY_VERSION = -1;

  private final InMemorySessionService service;
  private final StoredSession session;
  private final EventFilter filter;
  private final SessionState state;

  SessionHandle(
      InMemorySessionService service,
      StoredSession session,
      EventFilter filter,
      SessionState state) {
    this.service = service;
    this.session = session;
    this.filter = filter;
    this.state = state;
  }

  @Override
  public SessionId id() {
    return session.id();
  }

  @Override
  public SessionState state() {
    session.requireThere();
    return state;
  }

  @Override
  public List<SessionEvent> events() {
    return history().events(filter);
  }

  @Override
  public long version() {
    return history().version();
  }

  @Override
  public Instant created() {
    session.requireThere();
    return session.created();
  }

  @Override
  public Instant lastChanged() {
    return history().lastChanged();
  }

  private History history() {
    History history = session.history();
    session.requireThere(); // afterwards: a deleted session must not look like an empty one
    return history;
  }

  @Override
  public SessionSnapshot snapshot() {
    SessionSnapshot snapshot = session.snapshot(state, filter);
    session.requireThere();
    return snapshot;
  }

  @Override
  public StateSnapshot initialState() {
    session.requireThere();
    return session.rebuild(List.of());
  }

  @Override
  public StateSnapshot stateAsOf(String eventId) {
    return session.rebuild(session.find(eventId).fromTheStart());
  }

  @Override
  public AppendResult append(SessionEvent event) {
    return appendAt(event, ANY_VERSION);
  }

  @Override
  public AppendResult append(SessionEvent event, long expectedVersion) {
    if (expectedVersion < 0) {
      throw new IllegalArgumentException(
          "The expected version must not be negative; it is " + expectedVersion);
    }
    return appendAt(event, expectedVersion);
  }

  private AppendResult appendAt(SessionEvent event, long expectedVersion) {
    session.requireThere();
    if (event.isPartial()) {
      Scopes.requireNames(event.delta());
      return new AppendResult(Outcome.PARTIAL, event, version());
    }
    return service.append(session, state, event, expectedVersion);
  }

  @Override
  public String toString() {
    return "Session[" + id() + "]";
  }
}
