package dev.stillframe.trace;

class MemoryStoreTest extends TraceStoreContract {
  @Override
  protected TraceStore createStore() {
    return TraceStore.inMemory();
  }

  /** It ends with the process; what is left of a restart is that nothing is taken. */
  @Override
  protected TraceStore reopen(TraceStore before) throws Exception {
    for (String traceId : before.list()) {
      before.release(traceId);
    }
    return before;
  }
}
