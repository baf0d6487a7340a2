package dev.stillframe.session;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateSnapshot;
import java.time.Instant;
import java.util.List;

/**
 * A handle of a session: a conversation of one user with one app. It holds nothing but its {@code
 * temp:} keys and is cheap to make; every read shows the session as it is now, and any number of
 * handles of one session may be used side by side.
 *
 * <p><b>Keys.</b> The first prefix of a key, compared exactly, says who shares it:
 *
 * <ul>
 *   <li>{@code app:} all sessions of the app
 *   <li>{@code user:} all sessions of this user in this app
 *   <li>{@code temp:} nobody: it lives in this handle and is never stored
 *   <li>anything else: the session itself
 * </ul>
 *
 * A prefix alone is no key ({@link IllegalArgumentException}).
 *
 * <p><b>Deleted sessions.</b> Once its session was deleted or let go, a handle is of no use any
 * more: everything but {@link #id()} throws {@link SessionNotFoundException}, also if another
 * session was created under the same id.
 */
public interface Session {

  /**
   * Returns the id.
   *
   * @return the id
   */
  SessionId id();

  /**
   * Returns the state: one over the keys of all four scopes, and with all guarantees of {@link
   * SessionState} across them. A direct write through it is live at once, belongs to no event, and
   * moves neither {@link #version()} nor {@link #lastChanged()}; {@link #append} is how changes get
   * a history. One that is under way while the session is deleted may be lost.
   *
   * <p>{@link SessionState#clear()} empties what the state shows, as it does everywhere: also the
   * {@code user:} keys of the user's other sessions, and the {@code app:} keys of everybody. Remove
   * keys by name where that is not meant.
   *
   * @return the state of this handle, always the same one
   */
  SessionState state();

  /**
   * Returns the events that the filter of this handle passes.
   *
   * @return the events now, in the order of their sequence numbers, unmodifiable
   */
  List<SessionEvent> events();

  /**
   * Returns how often the session was appended to or rewound.
   *
   * @return the version now, 0 after creation
   */
  long version();

  /**
   * Returns when the session was created.
   *
   * @return the instant, by the service's clock
   */
  Instant created();

  /**
   * Returns when the session was created, appended to or rewound last.
   *
   * @return the instant, by the service's clock
   */
  Instant lastChanged();

  /**
   * Looks at everything at one instant.
   *
   * @return the session at an instant between this call and its return
   */
  SessionSnapshot snapshot();

  /**
   * Returns what the session was created with.
   *
   * @return the keys and values, {@code temp:} keys excepted
   */
  StateSnapshot initialState();

  /**
   * Rebuilds what the events led to: the initial state, and then the deltas of all events up to
   * one, in order. Direct writes, and what other sessions did to keys that they share, are not in
   * it.
   *
   * @param eventId the last event that counts
   * @return the keys and values as of that event
   * @throws SessionEventNotFoundException if the session has no such event
   */
  StateSnapshot stateAsOf(String eventId);

  /**
   * Appends an event. It and its delta take effect at one instant: nobody sees one without the
   * other. If it throws, nothing has changed, and it can be called again with the same event; an
   * event whose id the session has already is left as it is, and its delta is not applied again.
   *
   * <p>What is stored has the next sequence number, and none of the {@code temp:} keys of the
   * delta; those are set in this handle only. A partial event changes nothing at all.
   *
   * @param event the event; not changed
   * @return what was done
   * @throws IllegalArgumentException if the delta has a key that is a bare prefix
   * @throws SessionTooLargeException if the service limits the size of a session
   */
  AppendResult append(SessionEvent event);

  /**
   * Appends an event, as {@link #append(SessionEvent)} does, if the session is at a version.
   *
   * @param event the event; not changed
   * @param expectedVersion the version that the session must have; not looked at if the event is
   *     there already, or partial
   * @return what was done
   * @throws SessionConflictException if the session is at another version
   * @throws IllegalArgumentException if the delta has a key that is a bare prefix, or the version
   *     is negative
   * @throws SessionTooLargeException if the service limits the size of a session
   */
  AppendResult append(SessionEvent event, long expectedVersion);
}
