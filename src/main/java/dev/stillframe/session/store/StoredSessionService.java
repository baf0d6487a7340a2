package dev.stillframe.session.store;

import dev.stillframe.session.AppendResult;
import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.session.EventFilter;
import dev.stillframe.session.PageRequest;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionConflictException;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionPage;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionServiceClosedException;
import dev.stillframe.session.SessionStats;
import dev.stillframe.state.StateDelta;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** A service over a backend: checks what is asked, and counts. */
final class StoredSessionService implements SessionService {
  private final SessionBackend backend;
  private final Texts texts;

  /** From false to true, once. */
  private volatile boolean closed;

  private final LongAdder created = new LongAdder();
  private final LongAdder deleted = new LongAdder();
  private final LongAdder appended = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  StoredSessionService(SessionBackend backend, Texts texts) {
    this.backend = backend;
    this.texts = texts;
  }

  void requireOpen() {
    if (closed) {
      throw new SessionServiceClosedException();
    }
  }

  private StoredHandle handle(StoredSession session, EventFilter filter) {
    return new StoredHandle(this, session, filter, texts);
  }

  @Override
  public Session create(SessionId id, Map<String, ?> initialState) {
    requireOpen();
    Objects.requireNonNull(id, "id");
    StateDelta.Builder all = StateDelta.builder();
    initialState.forEach(all::set);
    StateDelta delta = all.build();
    StoredHandle session = handle(backend.create(id, StoredState.stored(delta)), EventFilter.all());
    session.setTemporary(delta);
    created.increment();
    return session;
  }

  @Override
  public Optional<Session> find(SessionId id, EventFilter events) {
    requireOpen();
    Objects.requireNonNull(events, "events");
    StoredSession session = backend.find(Objects.requireNonNull(id, "id"));
    return session == null ? Optional.empty() : Optional.of(handle(session, events));
  }

  @Override
  public SessionPage list(String app, PageRequest page) {
    requireOpen();
    return backend.list(
        Objects.requireNonNull(app, "app"), null, Objects.requireNonNull(page, "page"));
  }

  @Override
  public SessionPage list(String app, String user, PageRequest page) {
    requireOpen();
    return backend.list(
        Objects.requireNonNull(app, "app"),
        Objects.requireNonNull(user, "user"),
        Objects.requireNonNull(page, "page"));
  }

  @Override
  public boolean delete(SessionId id) {
    requireOpen();
    boolean done = backend.delete(Objects.requireNonNull(id, "id"));
    if (done) {
      deleted.increment();
    }
    return done;
  }

  AppendResult append(StoredSession session, SessionEvent event, long expectedVersion) {
    try {
      AppendResult result = session.append(event, expectedVersion);
      (result.outcome() == Outcome.APPENDED ? appended : duplicates).increment();
      return result;
    } catch (SessionConflictException e) {
      conflicts.increment();
      throw e;
    }
  }

  @Override
  public Session fork(SessionId id, String upToEvent, String newSession) {
    requireOpen();
    StoredSession fork =
        backend.fork(
            Objects.requireNonNull(id, "id"),
            Objects.requireNonNull(upToEvent, "upToEvent"),
            new SessionId(id.app(), id.user(), newSession));
    created.increment();
    return handle(fork, EventFilter.all());
  }

  @Override
  public int rewind(SessionId id, String toEvent) {
    requireOpen();
    return backend.rewind(
        Objects.requireNonNull(id, "id"), Objects.requireNonNull(toEvent, "toEvent"));
  }

  @Override
  public SessionStats stats() {
    return new SessionStats(
        closed ? 0 : backend.count(),
        created.sum(),
        deleted.sum(),
        /* expired= */ 0,
        /* evicted= */ 0,
        appended.sum(),
        duplicates.sum(),
        conflicts.sum(),
        /* oversized= */ 0);
  }

  /** What is stored stays, and so does the connection to where it is: it belongs to the caller. */
  @Override
  public void close() {
    closed = true;
  }
}
