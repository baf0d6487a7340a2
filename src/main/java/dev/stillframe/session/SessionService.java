package dev.stillframe.session;

import java.util.Map;
import java.util.Optional;

/**
 * Creates, finds, lists and deletes sessions, and keeps what they share.
 *
 * <pre>{@code
 * SessionService sessions = SessionService.inMemory();
 * Session session = sessions.create("travel", "user-7", Map.of("step", "planning"));
 * session.append(
 *     SessionEvent.builder("planner")
 *         .content("Leave at nine")
 *         .delta(StateDelta.builder().set("from", 900).set("user:airport", "JFK").build())
 *         .build());
 * Session later = sessions.get(session.id(), EventFilter.all().newest(20));
 * }</pre>
 *
 * <p>Each operation takes effect at one instant between its call and its return. Once a service is
 * closed, it and its handles refuse everything but {@link #stats()} with {@link
 * SessionServiceClosedException}.
 *
 * <p>What a session is created with, and all that events hold, is copied, so that nobody can change
 * it afterwards; see {@link dev.stillframe.state.SessionState}.
 */
public interface SessionService extends AutoCloseable {

  /**
   * Opens a service that keeps its sessions in the memory of this process, without limits.
   *
   * @return a new service
   */
  static SessionService inMemory() {
    return inMemory(InMemoryOptions.builder().build());
  }

  /**
   * Opens a service that keeps its sessions in the memory of this process.
   *
   * @param options limits, and the clock
   * @return a new service
   */
  static SessionService inMemory(InMemoryOptions options) {
    return new InMemorySessionService(options);
  }

  /**
   * Creates a session without events. Of several threads that create one id, exactly one succeeds.
   *
   * @param id the id
   * @param initialState values by key, each put into the scope of its key; {@code temp:} keys are
   *     set in the returned handle only
   * @return a handle of the new session
   * @throws SessionAlreadyExistsException if the id is taken
   * @throws NullPointerException if a value is null; the message names the key
   * @throws IllegalArgumentException if a key is a bare prefix, or a value is nested too deeply
   * @throws SessionTooLargeException if the service limits the size of a session
   */
  Session create(SessionId id, Map<String, ?> initialState);

  /**
   * Creates a session without events and without keys of its own.
   *
   * @param id the id
   * @return a handle of the new session
   * @throws SessionAlreadyExistsException if the id is taken
   */
  default Session create(SessionId id) {
    return create(id, Map.of());
  }

  /**
   * Creates a session under an id that nobody else has.
   *
   * @param app the app
   * @param user the user
   * @param initialState values by key, as for {@link #create(SessionId, Map)}
   * @return a handle of the new session
   * @throws NullPointerException if a value is null; the message names the key
   * @throws IllegalArgumentException if a key is a bare prefix, or a value is nested too deeply
   * @throws SessionTooLargeException if the service limits the size of a session
   */
  default Session create(String app, String user, Map<String, ?> initialState) {
    return create(new SessionId(app, user, RandomIds.next()), initialState);
  }

  /**
   * Creates a session without events and keys, under an id that nobody else has.
   *
   * @param app the app
   * @param user the user
   * @return a handle of the new session
   */
  default Session create(String app, String user) {
    return create(app, user, Map.of());
  }

  /**
   * Looks for a session.
   *
   * @param id the id
   * @param events which events the handle shows
   * @return a handle, or nothing if there is no such session
   */
  Optional<Session> find(SessionId id, EventFilter events);

  /**
   * Looks for a session.
   *
   * @param id the id
   * @return a handle that shows all events, or nothing if there is no such session
   */
  default Optional<Session> find(SessionId id) {
    return find(id, EventFilter.all());
  }

  /**
   * Returns a session that has to be there.
   *
   * @param id the id
   * @param events which events the handle shows
   * @return a handle
   * @throws SessionNotFoundException if there is no such session
   */
  default Session get(SessionId id, EventFilter events) {
    return find(id, events).orElseThrow(() -> new SessionNotFoundException(id));
  }

  /**
   * Returns a session that has to be there.
   *
   * @param id the id
   * @return a handle that shows all events
   * @throws SessionNotFoundException if there is no such session
   */
  default Session get(SessionId id) {
    return get(id, EventFilter.all());
  }

  /**
   * Lists the sessions of an app, those that changed last first. A session that is created, changed
   * or deleted meanwhile is shown as it was before or after that.
   *
   * @param app the app
   * @param page which page
   * @return the page, empty if the app has no sessions
   */
  SessionPage list(String app, PageRequest page);

  /**
   * Lists the sessions of a user, those that changed last first. A session that is created, changed
   * or deleted meanwhile is shown as it was before or after that.
   *
   * @param app the app
   * @param user the user
   * @param page which page
   * @return the page, empty if the user has no sessions
   */
  SessionPage list(String app, String user, PageRequest page);

  /**
   * Deletes a session with its events and its own keys. Keys that it shares stay. Once this has
   * returned, nothing that is done through an old handle brings the session back.
   *
   * @param id the id
   * @return true if there was such a session
   */
  boolean delete(SessionId id);

  /**
   * Creates a session of the same user that begins as another one did: with the same initial state
   * and the same events up to one, under their ids and sequence numbers, and with the own keys that
   * these led to. Keys that sessions share are left as they are.
   *
   * @param id the session to begin with
   * @param upToEvent the id of the last event that the new session has
   * @param newSession the third part of the new session's id
   * @return a handle of the new session
   * @throws SessionNotFoundException if there is no such session
   * @throws SessionEventNotFoundException if it has no such event
   * @throws SessionAlreadyExistsException if the new id is taken
   */
  Session fork(SessionId id, String upToEvent, String newSession);

  /**
   * Takes back the events after one, and restores every key that they touched, all at one instant:
   *
   * <ul>
   *   <li>an own key to its value as of the event that is gone back to, as {@link
   *       Session#stateAsOf} says;
   *   <li>an {@code app:} or {@code user:} key to the value that it had just before the first of
   *       the undone events that touched it; but if somebody else has changed it since the last of
   *       them did, it is left alone.
   * </ul>
   *
   * <p>The sequence numbers of undone events are not given again; their ids are free.
   *
   * @param id the session
   * @param toEvent the id of the event that is to be the last
   * @return how many events were taken back; if none, nothing has changed
   * @throws SessionNotFoundException if there is no such session
   * @throws SessionEventNotFoundException if it has no such event
   */
  int rewind(SessionId id, String toEvent);

  /**
   * Counts what was done.
   *
   * @return the counters now
   */
  SessionStats stats();

  /**
   * Closes the service. What its sessions held in memory is let go. A second call has no effect.
   */
  @Override
  void close();
}
