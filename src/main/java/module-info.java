/**
 * Session state and traces for programs in which many threads work on one conversation.
 *
 * <p>{@code dev.stillframe.state} holds the state and its snapshots, which never change once taken.
 * {@code dev.stillframe.session} holds sessions: states that share keys, with the events that led
 * to them; {@code dev.stillframe.session.store} keeps them in a database or a data grid. {@code
 * dev.stillframe.trace} holds the traces of what agents do, and their events; {@code
 * dev.stillframe.trace.store} keeps them in files. {@code dev.stillframe.json} turns values into
 * JSON and back. {@code dev.stillframe} holds the root of the library's exceptions.
 */
module dev.stillframe {
  // Not transitive: a modular consumer without JSpecify on its path could then not compile.
  requires static org.jspecify;

  // Optional, each for the packages that are named after it.
  requires static com.fasterxml.jackson.core; // json, and the stores
  requires static java.sql; // session.store, for databases

  exports dev.stillframe;
  exports dev.stillframe.json;
  exports dev.stillframe.session;
  exports dev.stillframe.session.store;
  exports dev.stillframe.state;
  exports dev.stillframe.trace;
  exports dev.stillframe.trace.store;
}
