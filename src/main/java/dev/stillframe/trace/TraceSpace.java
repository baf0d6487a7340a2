package dev.stillframe.trace;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDraft;

/**
 * A state that belongs to a trace: each change to it is an event of the trace, and has its place in
 * the one order of all changes.
 *
 * <p>It has the guarantees of a {@link SessionState}, except for who waits: a write is a command of
 * the trace, so that it may wait for room, and throws {@link TraceClosedException} if the trace is
 * closed. Reading never waits, and goes on after the close. A {@link StateDraft draft} is committed
 * by one command. A change of several keys is one event for each, side by side, and takes effect at
 * one instant. The redactor of the trace masks values in the events, not in the space.
 *
 * <p>Functions that are passed in run on the calling thread, outside any lock, and may run more
 * than once. As a draft is committed, values are compared by their {@code equals} while commands of
 * the trace wait; it must not block.
 */
public interface TraceSpace extends SessionState {

  /**
   * Returns its id, which no other space of the trace has.
   *
   * @return the id
   */
  String id();

  /**
   * Returns what it is called.
   *
   * @return the name
   */
  String name();

  /**
   * Deletes it. It can still be read, as it was then; a write throws {@link IllegalStateException}.
   *
   * @return true if this call has deleted it
   * @throws TraceClosedException if the trace is closed
   */
  boolean delete();
}
