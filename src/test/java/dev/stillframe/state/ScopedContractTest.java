package dev.stillframe.state;

class ScopedContractTest extends SessionStateContract implements CopiedValuesContract {
  ScopedContractTest() {
    super(StateKind.SCOPED);
  }
}
