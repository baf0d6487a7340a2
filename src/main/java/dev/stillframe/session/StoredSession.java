package dev.stillframe.session;

import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateFamily;
import dev.stillframe.state.StateSnapshot;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session as it is kept in memory. Its own keys and its {@link History} are in two states of the
 * app's family. So an append is one write to both, and a snapshot of both shows an event exactly if
 * it shows what the event changed; who reads waits for nobody.
 *
 * <p><b>The lock</b> of a session (its monitor) is held by whoever creates it, appends, rewinds, or
 * deletes it: so ids are looked up, sequence numbers given, and versions compared one after the
 * other. Under it there are only hash maps with text keys, and writes to states, which wait for
 * nothing but writes to the same keys; no user code runs there: no clock, no {@code equals} of a
 * value. Nobody holds two of them.
 *
 * <p><b>Direct writes</b> through the state of a handle do not take the lock. They look whether the
 * session is there, and then write. If it is deleted in between, a write to an own key goes to a
 * state that nobody reads any more, which is as if it had come just before the deletion. A write to
 * a shared key arrives, or is lost with the user if nothing else is held of them.
 */
class StoredSession {
  private static final Object CREATING = new Object();
  private static final Object DELETED = new Object();

  final UserScope user;
  final String name;
  private final SessionState own;

  /** Keys and values in turn: the smallest form of what is hardly ever read. */
  private final Object[] initial;

  private final long createdMicros;

  /**
   * What is known of this session; each step is made under the lock.
   *
   * <pre>
   *  CREATING   it is not there yet, but its id is taken
   *  null       it is there, and never had an event
   *  EventLog   it is there
   *  DELETED    it is not there any more; final
   *
   *  CREATING to null to EventLog to DELETED
   *  CREATING to EventLog               it is a fork
   *  CREATING, null to DELETED
   * </pre>
   */
  private volatile @Nullable Object log = CREATING;

  StoredSession(UserScope user, String name, Object[] initial, Instant created) {
    this.user = user;
    this.name = name;
    this.initial = initial;
    createdMicros = ChronoUnit.MICROS.between(Instant.EPOCH, created);
    own = user.app.family.newState();
  }

  SessionId id() {
    return new SessionId(user.app.id, user.id, name);
  }

  /** Creates a state over all scopes, with temporary keys of its own. */
  SessionState newView() {
    StateFamily family = user.app.family;
    return family
        .scoped(own)
        .share(Scopes.APP, user.app.state)
        .share(Scopes.USER, user.state)
        .share(Scopes.TEMP, family.newState())
        .guard(this::requireThere)
        .build();
  }

  /** Notes that somebody uses this session, if that matters. */
  void use() {}

  long lastUsedMillis() {
    return 0;
  }

  boolean isIdleFor(long millis) {
    return false;
  }

  boolean isThere() {
    Object now = log;
    return now != CREATING && now != DELETED;
  }

  /** Refuses the use of a session that is not there. */
  final void requireThere() {
    user.app.service.requireOpen();
    if (log == DELETED) {
      throw new SessionNotFoundException(id());
    }
    use();
  }

  /** Makes this session be there, with what it is created with. Called under the lock. */
  final void create(SessionState view, StateDelta delta) {
    user.app.family.apply(Map.of(view, delta));
    log = null;
  }

  /** Makes this session be there, with events of another one. Called under the lock. */
  final void createAsFork(StateDelta ownKeys, History begun) {
    own.apply(ownKeys);
    log = new EventLog(user.app.family, begun);
  }

  /** Waits until a session that is being created is there, or is not; tells which. */
  final synchronized boolean awaitThere() {
    return isThere();
  }

  /** Returns false if it is not there any more. */
  final synchronized boolean delete() {
    if (log == DELETED) {
      return false;
    }
    log = DELETED;
    return true;
  }

  final Instant created() {
    return Instant.EPOCH.plus(createdMicros, ChronoUnit.MICROS);
  }

  /** Returns the events as they are now. */
  final History history() {
    return log instanceof EventLog events ? events.history() : noHistory();
  }

  /** Returns an event that has to be there. */
  final EventNode find(String eventId) {
    return find(history(), eventId);
  }

  private EventNode find(History history, String eventId) {
    requireThere(); // afterwards: a deleted session must not look like an empty one
    EventNode node = history.find(Objects.requireNonNull(eventId, "eventId"));
    if (node == null) {
      throw new SessionEventNotFoundException(id(), eventId);
    }
    return node;
  }

  private History noHistory() {
    return new History(0, 0, 0, initialBytes(), created(), null);
  }

  final SessionInfo info(History history) {
    return new SessionInfo(
        id(), history.version(), history.count(), created(), history.lastChanged());
  }

  /** Looks at everything at one instant. */
  final SessionSnapshot snapshot(SessionState view, EventFilter filter) {
    for (; ; ) {
      Object before = log;
      if (before instanceof EventLog events) {
        EventLog.Picture picture = events.picture(view);
        History history = picture.history();
        return new SessionSnapshot(info(history), picture.state(), history.events(filter));
      }
      StateSnapshot state = view.all();
      if (log == before) { // so no event had taken effect at the instant of the snapshot
        return new SessionSnapshot(info(noHistory()), state, List.of());
      }
    }
  }

  final AppendResult append(SessionState view, SessionEvent event, long expected, Instant now) {
    StateDelta delta = event.delta();
    boolean areOwn = Scopes.areOwn(delta);
    StateDelta kept = areOwn ? delta : Scopes.only(Scopes.requireNames(delta), Scopes::isStored);
    long limit = user.app.service.maxSessionBytes();
    long size = limit == Long.MAX_VALUE ? 0 : Sizes.of(event);
    synchronized (this) {
      EventLog events = events();
      History history = events.history();
      EventNode there = events.find(event.id());
      if (there != null) {
        return new AppendResult(Outcome.DUPLICATE, there.event, history.version());
      }
      if (expected >= 0 && expected != history.version()) {
        throw new SessionConflictException(id(), expected, history.version());
      }
      if (size > limit - history.bytes()) {
        throw new SessionTooLargeException(id(), limit, history.bytes() + size);
      }
      EventNode node =
          new EventNode(event.stored(kept, history.sequence() + 1), history.last(), size);
      History next = history.with(node, now);
      events.append(view, delta, areOwn, node, next);
      return new AppendResult(Outcome.APPENDED, node.event, next.version());
    }
  }

  /** Returns the events, for who is about to change them. Called under the lock. */
  private EventLog events() {
    Object now = log;
    if (now == DELETED) {
      throw new SessionNotFoundException(id());
    }
    if (now instanceof EventLog events) {
      return events;
    }
    EventLog events = new EventLog(user.app.family, noHistory());
    log = events;
    return events;
  }

  /**
   * Goes back to an event. Appends wait meanwhile. It starts over if somebody writes, directly or
   * through another session, a key that is to be restored.
   */
  final int rewind(String toEvent, Instant now) {
    SessionState view = newView();
    for (; ; ) {
      synchronized (this) {
        EventLog.Picture picture = events().picture(view);
        History history = picture.history();
        EventNode target = find(history, toEvent);
        if (target == history.last()) {
          return 0;
        }
        Rewind plan = new Rewind(history, target, initialDelta(), picture.state());
        List<String> undone = plan.undone();
        History next = history.backTo(target, undone.size(), plan.bytes(), now);
        if (events().rewind(picture, view, plan.restored(), undone, next)) {
          return undone.size();
        }
      }
    }
  }

  final StateDelta initialDelta() {
    StateDelta.Builder delta = StateDelta.builder();
    for (int i = 0; i < initial.length; i += 2) {
      delta.set((String) initial[i], initial[i + 1]);
    }
    return delta.build();
  }

  /** Returns 0 if the service does not want to know. */
  final long initialBytes() {
    return user.app.service.maxSessionBytes() == Long.MAX_VALUE ? 0 : Sizes.of(initial);
  }

  final Object[] initial() {
    return initial;
  }

  /** Rebuilds the state from what it was created with and some events. */
  final StateSnapshot rebuild(Iterable<SessionEvent> events) {
    SessionState state = SessionState.create();
    state.apply(initialDelta());
    events.forEach(event -> state.apply(event.delta()));
    return state.all();
  }
}
