package dev.stillframe.state;

class ScopedSharedContractTest extends SessionStateContract implements CopiedValuesContract {
  ScopedSharedContractTest() {
    super(StateKind.SCOPED_SHARED);
  }
}
