package dev.stillframe.state;

/** A space of a trace, which is a state behind a {@link WriteGate}. */
class SpaceContractTest extends SessionStateContract implements CopiedValuesContract {
  SpaceContractTest() {
    super(StateKind.SPACE);
  }
}
