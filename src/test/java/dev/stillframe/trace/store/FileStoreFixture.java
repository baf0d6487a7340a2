package dev.stillframe.trace.store;

import dev.stillframe.trace.LogLevel;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A folder for file stores, and what tests of them begin with. */
@Timeout(120)
abstract class FileStoreFixture {
  static final Instant AT = Instant.parse("2026-02-03T04:05:06Z");
  static final String ID = "20260203000000000001";

  @TempDir Path temporary;

  Path base() {
    return temporary.resolve("base");
  }

  FileTraceStore store() {
    return FileTraceStore.builder(base()).durability(Durability.NONE).build();
  }

  Path file(String id) {
    return base().resolve("20260203").resolve(SafeNames.of(id)).resolve(Folders.EVENTS);
  }

  static TraceEvent log(long sequence) {
    return log(ID, sequence, "event " + sequence);
  }

  static TraceEvent log(String id, long sequence, String text) {
    return new TraceEvent.LogAdded(id, sequence, AT, "n1", LogLevel.INFO, text, List.of());
  }

  static List<TraceEvent> logs(long first, long last) {
    return IntStream.rangeClosed((int) first, (int) last).mapToObj(i -> log(i)).toList();
  }

  List<TraceEvent> fill(FileTraceStore store, int events) throws IOException {
    store.create(ID, AT);
    store.append(ID, logs(1, events));
    store.release(ID);
    return logs(1, events);
  }

  static StoreReport replay(FileTraceStore store, List<TraceEvent> events) throws IOException {
    return store.replay(ID, events::add);
  }
}
