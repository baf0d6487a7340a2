package dev.stillframe.why;

/** A library that holds the state of agent sessions, used as its documentation says. */
interface Candidate {
  /** Returns its name and version. */
  String name();

  /** Makes an empty state. */
  State state();

  /** Makes an empty service. */
  Service service();

  /** The state of one session. */
  interface State {
    /** Adds one to a number, which is absent at first. */
    void increment(String key);

    long number(String key);

    /** Writes two numbers, together if it can. */
    void writePair(long a, long b);

    /** Reads what {@link #writePair} writes, together if it can, and returns the sum. */
    long pairSum();
  }

  /** The sessions of one user. */
  interface Service {
    void create(String session);

    void delete(String session);

    boolean exists(String session);

    /** Tells whether a session has events that can be appended. */
    boolean hasEvents();

    /** Returns a handle on a session that exists. */
    Handle handle(String session);

    /** Counts the events of a session. */
    int events(String session);
  }

  /** A handle on a session. */
  interface Handle {
    void append(String event);
  }
}
