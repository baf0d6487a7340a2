package dev.stillframe.state;

/** What a part of the contract suite needs: one state per test, and what kind it is of. */
interface StateContract {
  /** The state under test: empty when the test begins, and the same one throughout. */
  SessionState state();

  StateKind kind();
}
