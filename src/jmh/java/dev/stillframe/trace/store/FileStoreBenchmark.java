package dev.stillframe.trace.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.stillframe.trace.LogLevel;
import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceOptions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One log event into a file, without durability: by the store, in batches as a trace makes them; by
 * a trace over the store, from the call until it is written; and by Jackson and a {@code
 * BufferedWriter} alone, the same members by hand. An operation is one event.
 *
 * <pre>mvn -Pjmh verify -Djmh.include=FileStoreBenchmark</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FileStoreBenchmark {
  private static final int TIMES = 1_024;
  private static final int BATCH = 256;
  private static final int PER_FILE = 400;

  private static final String TRACE = "20260203000000000001";
  private static final JsonFactory FACTORY =
      new JsonFactory()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

  private Path folder;
  private FileTraceStore store;
  private BufferedWriter writer;
  private TraceManager trace;
  private TraceNode node;
  private long sequence;
  private int invocations;

  @Setup(Level.Iteration)
  public void open() throws Exception {
    folder = Files.createTempDirectory("file-store-benchmark");
    store = FileTraceStore.builder(folder).durability(Durability.NONE).build();
    startFiles();
  }

  private void startFiles() throws Exception {
    sequence = 0;
    store.create(TRACE, Instant.EPOCH);
    writer = Files.newBufferedWriter(folder.resolve("plain"));
    trace =
        TraceManager.open(
            TraceOptions.builder().id("traced").store(store).retainEvents(1_000).build());
    node = trace.add(null, NodeOptions.label("n"));
  }

  private void endFiles() throws Exception {
    trace.close();
    store.release(TRACE);
    store.remove(TRACE);
    store.remove("traced");
    writer.close();
    Files.delete(folder.resolve("plain"));
  }

  /** Files are begun anew now and then, so that they do not fill the disk. */
  @Setup(Level.Invocation)
  public void restart() throws Exception {
    if (++invocations % PER_FILE == 0) {
      endFiles();
      startFiles();
    }
  }

  @TearDown(Level.Iteration)
  public void close() throws Exception {
    endFiles();
    store.close();
    try (var days = Files.list(folder)) {
      for (Path day : days.toList()) {
        Files.delete(day);
      }
    }
    Files.delete(folder);
  }

  private TraceEvent.LogAdded next() {
    return new TraceEvent.LogAdded(
        TRACE,
        ++sequence,
        Instant.now(),
        "n1",
        LogLevel.INFO,
        "{} offers from {} to {}",
        List.of(3, "JFK", "EWR"));
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void store() throws IOException {
    for (int from = 0; from < TIMES; from += BATCH) {
      List<TraceEvent> batch = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        batch.add(next());
      }
      store.append(TRACE, batch);
    }
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public boolean trace() {
    for (int i = 0; i < TIMES; i++) {
      node.info("{} offers from {} to {}", 3, "JFK", "EWR");
    }
    return trace.flush();
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void jackson() throws IOException {
    for (int i = 0; i < TIMES; i++) {
      try (JsonGenerator out = FACTORY.createGenerator(writer)) {
        write(out, next());
      }
      writer.newLine();
    }
  }

  private static void write(JsonGenerator out, TraceEvent.LogAdded event) throws IOException {
    out.writeStartObject();
    out.writeNumberField("sequence", event.sequence());
    out.writeStringField("type", event.type());
    out.writeStringField("trace_id", event.traceId());
    out.writeStringField("node_id", event.nodeId());
    out.writeNumberField("timestamp", event.timestamp().toEpochMilli());
    out.writeObjectFieldStart("data");
    out.writeStringField("level", "info");
    out.writeStringField("message", event.message());
    out.writeArrayFieldStart("arguments");
    for (Object argument : event.arguments()) {
      if (argument instanceof Integer number) {
        out.writeNumber(number);
      } else {
        out.writeString((String) argument);
      }
    }
    out.writeEndArray();
    out.writeEndObject();
    out.writeEndObject();
  }
}
