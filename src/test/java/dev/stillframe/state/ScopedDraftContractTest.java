package dev.stillframe.state;

class ScopedDraftContractTest extends SessionStateContract implements CopiedValuesContract {
  ScopedDraftContractTest() {
    super(StateKind.SCOPED_DRAFT);
  }
}
