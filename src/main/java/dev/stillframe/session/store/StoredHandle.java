package dev.stillframe.session.store;

import dev.stillframe.session.AppendResult;
import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.session.EventFilter;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionSnapshot;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** A handle of a stored session. Whatever is asked is read from the store. */
final class StoredHandle implements Session {
  private static final long ANY_VERSION = -1;

  private final StoredSessionService service;
  private final StoredSession session;
  private final EventFilter filter;
  private final StoredState state;

  StoredHandle(
      StoredSessionService service, StoredSession session, EventFilter filter, Texts texts) {
    this.service = service;
    this.session = session;
    this.filter = filter;
    state = new StoredState(session, texts, service::requireOpen);
  }

  /** Returns the session, as long as the service is open. */
  private StoredSession session() {
    service.requireOpen();
    return session;
  }

  void setTemporary(StateDelta delta) {
    state.applyTemporary(delta);
  }

  @Override
  public SessionId id() {
    return session.id();
  }

  @Override
  public SessionState state() {
    session().info();
    return state;
  }

  @Override
  public List<SessionEvent> events() {
    return session().events(filter);
  }

  @Override
  public long version() {
    return session().info().version();
  }

  @Override
  public Instant created() {
    return session().info().created();
  }

  @Override
  public Instant lastChanged() {
    return session().info().lastChanged();
  }

  @Override
  public SessionSnapshot snapshot() {
    StoredSession.Picture picture = session().picture(filter);
    return new SessionSnapshot(picture.info(), state.show(picture.state()), picture.events());
  }

  @Override
  public StateSnapshot initialState() {
    return Texts.fold(session().initial(), List.of());
  }

  @Override
  public StateSnapshot stateAsOf(String eventId) {
    List<StateDelta> deltas = session().deltasUpTo(Objects.requireNonNull(eventId, "eventId"));
    return Texts.fold(session.initial(), deltas);
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
    StateDelta stored = StoredState.stored(event.delta());
    if (event.isPartial()) {
      return new AppendResult(Outcome.PARTIAL, event, version());
    }
    AppendResult result = service.append(session(), event.stored(stored, 1), expectedVersion);
    if (result.outcome() == Outcome.APPENDED) {
      state.applyTemporary(event.delta());
    }
    return result;
  }

  @Override
  public String toString() {
    return "Session[" + id() + "]";
  }
}
