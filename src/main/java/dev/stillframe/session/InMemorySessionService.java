package dev.stillframe.session;

import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A service that keeps its sessions in memory: maps of apps, users and sessions by their ids. */
final class InMemorySessionService implements SessionService {
  private static final Object[] NOTHING = {};

  private static final Comparator<SessionInfo> NEWEST_FIRST =
      Comparator.comparing(SessionInfo::lastChanged).reversed().thenComparing(SessionInfo::id);

  private final InMemoryOptions options;
  private final ConcurrentHashMap<String, AppScope> apps = new ConcurrentHashMap<>();

  /** From false to true, once. */
  private volatile boolean closed;

  private final AtomicLong sessions = new AtomicLong();
  private final AtomicLong nextSweepMillis = new AtomicLong(Long.MIN_VALUE);
  private final LongAdder created = new LongAdder();
  private final LongAdder deleted = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final LongAdder appended = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder oversized = new LongAdder();

  InMemorySessionService(InMemoryOptions options) {
    this.options = Objects.requireNonNull(options, "options");
  }

  void requireOpen() {
    if (closed) {
      throw new SessionServiceClosedException();
    }
  }

  long maxSessionBytes() {
    return options.maxSessionBytes;
  }

  private @Nullable StoredSession stored(SessionId id) {
    requireOpen();
    AppScope app = apps.get(id.app());
    UserScope user = app == null ? null : app.users.get(id.user());
    StoredSession session = user == null ? null : user.sessions.get(id.session());
    return session != null && session.isThere() && !letGoIfIdle(session) ? session : null;
  }

  private StoredSession required(SessionId id) {
    StoredSession session = stored(id);
    if (session == null) {
      throw new SessionNotFoundException(id);
    }
    return session;
  }

  @Override
  public Session create(SessionId id, Map<String, ?> initialState) {
    StateDelta.Builder all = StateDelta.builder();
    initialState.forEach(all::set);
    return create(id, Scopes.requireNames(all.build()), null);
  }

  private Session create(SessionId id, StateDelta delta, @Nullable Origin origin) {
    requireOpen();
    Object[] initial = origin == null ? flat(delta) : origin.initial;
    long limit = options.maxSessionBytes;
    if (limit < Long.MAX_VALUE && Sizes.of(initial) > limit) {
      oversized.increment();
      throw new SessionTooLargeException(id, limit, Sizes.of(initial));
    }
    AppScope app = apps.computeIfAbsent(id.app(), name -> new AppScope(this, name));
    UserScope user = app.pin(id.user());
    boolean done = false;
    try {
      StoredSession session =
          options.tracksUse()
              ? new TrackedSession(user, id.session(), initial, options.clock)
              : new StoredSession(user, id.session(), initial, options.clock.instant());
      SessionState view = session.newView();
      claim(id, session, view, delta, origin);
      done = true;
      sessions.incrementAndGet();
      created.increment();
      makeRoom(session);
      return new SessionHandle(this, session, EventFilter.all(), view);
    } finally {
      if (!done) {
        app.unpin(user);
      }
    }
  }

  private void claim(
      SessionId id,
      StoredSession session,
      SessionState view,
      StateDelta delta,
      @Nullable Origin origin) {
    for (; ; ) {
      StoredSession other = createUnlessTaken(session, view, delta, origin);
      if (other == null) {
        return;
      }
      // Waits for a creator, so that the session that the caller hears of can be found.
      if (other.awaitThere() && !letGoIfIdle(other)) {
        throw new SessionAlreadyExistsException(id);
      }
      session.user.sessions.remove(session.name, other);
    }
  }

  /** Returns the session that has the id, or null if it is the one that was to be created. */
  private static @Nullable StoredSession createUnlessTaken(
      StoredSession session, SessionState view, StateDelta delta, @Nullable Origin origin) {
    synchronized (session) {
      StoredSession other = session.user.sessions.putIfAbsent(session.name, session);
      if (other != null) {
        return other;
      }
      boolean done = false;
      try {
        if (origin == null) {
          session.create(view, delta);
        } else {
          session.createAsFork(delta, origin.history);
        }
        done = true;
        return null;
      } finally {
        if (!done) {
          session.delete();
          session.user.sessions.remove(session.name, session);
        }
      }
    }
  }

  private static Object[] flat(StateDelta delta) {
    List<Object> flat = new ArrayList<>();
    delta
        .asMap()
        .forEach(
            (key, value) -> {
              if (value != null && !Scopes.isTemporary(key)) {
                flat.add(key);
                flat.add(value);
              }
            });
    return flat.isEmpty() ? NOTHING : flat.toArray();
  }

  /** What a forked session begins with. */
  private static final class Origin {
    private final Object[] initial;
    private final History history;

    Origin(Object[] initial, History history) {
      this.initial = initial;
      this.history = history;
    }
  }

  @Override
  public Optional<Session> find(SessionId id, EventFilter events) {
    Objects.requireNonNull(events, "events");
    StoredSession session = stored(id);
    if (session == null) {
      return Optional.empty();
    }
    session.use();
    return Optional.of(new SessionHandle(this, session, events, session.newView()));
  }

  @Override
  public SessionPage list(String app, PageRequest page) {
    Objects.requireNonNull(app, "app");
    return page(page, sessionsOf(app));
  }

  @Override
  public SessionPage list(String app, String user, PageRequest page) {
    Objects.requireNonNull(app, "app");
    Objects.requireNonNull(user, "user");
    AppScope scope = apps.get(app);
    UserScope ofUser = scope == null ? null : scope.users.get(user);
    return page(page, ofUser == null ? Stream.empty() : ofUser.sessions.values().stream());
  }

  private Stream<StoredSession> sessionsOf(String app) {
    AppScope scope = apps.get(app);
    return scope == null ? Stream.empty() : scope.sessions();
  }

  private SessionPage page(PageRequest page, Stream<StoredSession> all) {
    requireOpen();
    SessionInfo after = page.after();
    List<SessionInfo> found =
        all.filter(session -> session.isThere() && !isIdle(session))
            .map(session -> session.info(session.history()))
            .filter(info -> after == null || NEWEST_FIRST.compare(after, info) < 0)
            .sorted(NEWEST_FIRST)
            .limit(page.size() + 1L)
            .toList();
    if (found.size() <= page.size()) {
      return new SessionPage(found, null);
    }
    List<SessionInfo> shown = found.subList(0, page.size());
    return new SessionPage(shown, new PageRequest(page.size(), shown.get(page.size() - 1)));
  }

  @Override
  public boolean delete(SessionId id) {
    StoredSession session = stored(id);
    return session != null && letGo(session, deleted);
  }

  /** Returns false if somebody else was first. */
  private boolean letGo(StoredSession session, LongAdder counter) {
    if (!session.delete()) {
      return false;
    }
    session.user.sessions.remove(session.name, session);
    session.user.app.unpin(session.user);
    sessions.decrementAndGet();
    counter.increment();
    return true;
  }

  AppendResult append(StoredSession session, SessionState view, SessionEvent event, long expected) {
    try {
      AppendResult result = session.append(view, event, expected, options.clock.instant());
      (result.outcome() == Outcome.APPENDED ? appended : duplicates).increment();
      return result;
    } catch (SessionConflictException e) {
      conflicts.increment();
      throw e;
    } catch (SessionTooLargeException e) {
      oversized.increment();
      throw e;
    }
  }

  @Override
  public Session fork(SessionId id, String upToEvent, String newSession) {
    StoredSession session = required(id);
    EventNode last = session.find(upToEvent);
    History begun = History.upTo(last, session.initialBytes(), options.clock.instant());
    StateDelta own =
        Scopes.only(
            session.rebuild(last.fromTheStart()).deltaFrom(SessionState.create().all()),
            Scopes::isOwn);
    return create(
        new SessionId(id.app(), id.user(), newSession), own, new Origin(session.initial(), begun));
  }

  @Override
  public int rewind(SessionId id, String toEvent) {
    return required(id).rewind(toEvent, options.clock.instant());
  }

  private boolean isIdle(StoredSession session) {
    return session.isIdleFor(options.idleMillis);
  }

  /** Tells whether a session is idle for too long, and so not there any more. */
  private boolean letGoIfIdle(StoredSession session) {
    if (!isIdle(session)) {
      return false;
    }
    letGo(session, expired);
    return true;
  }

  /** Lets go of what is too much once a session was added. */
  private void makeRoom(StoredSession added) {
    if (options.idleMillis < Long.MAX_VALUE) {
      long now = options.clock.millis();
      long due = nextSweepMillis.get();
      if (now >= due && nextSweepMillis.compareAndSet(due, now + options.idleMillis / 4)) {
        all().forEach(this::letGoIfIdle);
      }
    }
    long tooMany = sessions.get() - options.maxSessions;
    if (tooMany > 0) {
      all()
          .filter(session -> session != added && session.isThere())
          .map(session -> new LastUse(session, session.lastUsedMillis()))
          .sorted(Comparator.comparingLong(LastUse::millis))
          .limit(Math.max(tooMany, options.maxSessions / 64))
          .forEach(use -> letGo(use.session, evicted));
    }
  }

  /** When a session was used last, as it was when that was asked: a sort wants it to stay so. */
  private record LastUse(StoredSession session, long millis) {}

  /** Counts the users of an app of whom something is held. */
  int userCount(String app) {
    AppScope scope = apps.get(app);
    return scope == null ? 0 : scope.users.size();
  }

  private Stream<StoredSession> all() {
    return apps.values().stream().flatMap(AppScope::sessions);
  }

  @Override
  public SessionStats stats() {
    return new SessionStats(
        closed ? 0 : sessions.get(),
        created.sum(),
        deleted.sum(),
        expired.sum(),
        evicted.sum(),
        appended.sum(),
        duplicates.sum(),
        conflicts.sum(),
        oversized.sum());
  }

  @Override
  public void close() {
    closed = true;
    apps.clear();
  }
}
