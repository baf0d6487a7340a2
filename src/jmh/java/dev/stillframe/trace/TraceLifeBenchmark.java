package dev.stillframe.trace;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The life of a trace in memory, beside that of a thread, which a trace with a worker of its own
 * would have to start.
 *
 * <pre>mvn -Pjmh verify -Djmh.include=TraceLifeBenchmark</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TraceLifeBenchmark {

  @Benchmark
  public TraceStatus openNodeCompleteClose() {
    try (TraceManager trace = TraceManager.open()) {
      trace.add("input", NodeOptions.label("node")).complete("output");
      trace.markComplete();
      return trace.status();
    }
  }

  @Benchmark
  public Thread startAndJoinThread() throws InterruptedException {
    Thread thread = new Thread(() -> {});
    thread.start();
    thread.join();
    return thread;
  }
}
