package dev.stillframe.trace;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDraft;

/**
 * A state that belongs to a trace: each change to it is an event of the trace, and has its place in
 * the one order of all changes.
 *
 * <p>It has the guarantees of a {@link SessionState}, except for who waits: a write that changes
 * something is a command of the trace, so that it may wait for room, and throws {@link
 * TraceClosedException} if the trace is closed. Reading never waits, and goes on after the close. A
 * {@link StateDraft draft} is committed by one command. A change of several keys takes effect at
 * one instant, and is one event for each key, side by side. The redactor of the trace masks values
 * in the events, not in the space.
 *
 * <p><b>Values and events.</b> A value can be read a moment before subscribers get its event. Who
 * has got the event then reads that value or a newer one; who has read the value and then asks the
 * trace, by {@link TraceManager#snapshot()}, {@link TraceManager#spaces()} or {@link
 * TraceManager#eventList(long)}, finds the change there. Each of those shows all events of one
 * change or none.
 *
 * <p>Functions, merges and the {@code equals} of values run on the calling thread, outside any lock
 * and while commands of the trace go on; they may use the trace, and may run more than once.
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
