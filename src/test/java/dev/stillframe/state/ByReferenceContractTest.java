package dev.stillframe.state;

class ByReferenceContractTest extends SessionStateContract {
  ByReferenceContractTest() {
    super(StateKind.BY_REFERENCE);
  }
}
