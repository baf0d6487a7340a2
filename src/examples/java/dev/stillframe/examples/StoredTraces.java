package dev.stillframe.examples;

import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceSnapshot;
import dev.stillframe.trace.store.FileTraceStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder in which the traces of a replay are kept. */
final class StoredTraces implements AutoCloseable {
  private final Path folder;
  private final FileTraceStore store;

  private StoredTraces(Path folder) {
    this.folder = folder;
    store = FileTraceStore.in(folder);
  }

  static StoredTraces in(Path folder) throws BadInputException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new BadInputException(
          "The folder for the traces must be one, or be made, but '" + folder + "' cannot: " + e);
    }
    return new StoredTraces(folder);
  }

  FileTraceStore store() {
    return store;
  }

  /** Reads a trace back; returns what is not as it was written, or null. */
  @Nullable String problem(String traceId, List<TraceEvent> written) {
    List<TraceEvent> read = new ArrayList<>();
    try {
      StoreReport report = store.replay(traceId, read::add);
      if (!report.isWhole()) {
        return traceId + ": what is kept must be whole, but " + report.damage().get(0);
      }
    } catch (IOException e) {
      return traceId + ": what is kept must be readable, but is not: " + e;
    }
    return read.equals(written)
        ? null
        : traceId + ": what is kept must be what was written, but is something else";
  }

  /** Says what was kept, and how to look at one of the traces. */
  void print(TraceTotals traces, PrintStream out) throws IOException {
    out.printf(Locale.ROOT, "The traces are in %s, and were read back.%n", folder);
    TraceSnapshot sample = traces.sample();
    if (sample != null) {
      try (Stream<Path> folders = Files.find(folder, 2, (path, is) -> path.endsWith(sample.id()))) {
        folders.findFirst().ifPresent(of -> out.printf("To see one of them: show %s%n", of));
      }
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
