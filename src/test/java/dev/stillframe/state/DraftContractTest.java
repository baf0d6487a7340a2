package dev.stillframe.state;

class DraftContractTest extends SessionStateContract implements CopiedValuesContract {
  DraftContractTest() {
    super(StateKind.DRAFT);
  }
}
