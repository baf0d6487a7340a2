package dev.stillframe.state;

/**
 * Decides when and on which thread the writes of a {@linkplain SessionState#gated gated} state are
 * made, and learns what they change: to keep a record of all changes in one order, for instance.
 *
 * <p>What comes to a gate is ready to be made. Values are copied, and functions, merges and
 * comparisons of values have run, on the thread that called the state. So the gate may make a write
 * on a thread, or while it holds a lock, where no code of a user must run.
 */
@FunctionalInterface
public interface WriteGate {

  /**
   * Makes a write, or refuses it. It is called on the thread that called the state, outside any
   * lock of the state's.
   *
   * @param write the write, to be made once at most
   * @return what {@link Write#make()} returned; whoever refuses a write throws instead, which
   *     reaches the caller of the state
   */
  boolean pass(Write write);

  /** A write that is ready to be made. */
  interface Write {

    /**
     * Returns what it changes. That of {@link SessionState#clear()} is up to date if it is asked
     * when no other write can be made before this one.
     *
     * @return the keys to be set or removed, whether they are there or not
     */
    StateDelta changes();

    /**
     * Makes the write at one instant. It runs no code of a user.
     *
     * @return false if nothing was changed since what the write is based on has changed; then the
     *     state works it out anew, and comes to the gate again
     */
    boolean make();
  }
}
