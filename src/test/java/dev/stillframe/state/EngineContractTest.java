package dev.stillframe.state;

class EngineContractTest extends SessionStateContract implements CopiedValuesContract {
  EngineContractTest() {
    super(StateKind.ENGINE);
  }
}
