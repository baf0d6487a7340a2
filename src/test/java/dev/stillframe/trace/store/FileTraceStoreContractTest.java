package dev.stillframe.trace.store;

import dev.stillframe.trace.TraceStore;
import dev.stillframe.trace.TraceStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileTraceStoreContractTest extends TraceStoreContract {
  @TempDir private Path folder;

  @Override
  protected TraceStore createStore() {
    return FileTraceStore.builder(folder.resolve("base")).durability(Durability.NONE).build();
  }

  @Override
  protected TraceStore reopen(TraceStore before) throws IOException {
    ((FileTraceStore) before).close();
    return createStore();
  }
}
