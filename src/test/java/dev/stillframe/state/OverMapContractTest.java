package dev.stillframe.state;

class OverMapContractTest extends SessionStateContract implements CopiedValuesContract {
  OverMapContractTest() {
    super(StateKind.OVER_MAP);
  }
}
