package dev.stillframe.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A log event from its call to its execution, beside a task of a single-threaded executor (an empty
 * one, and one that does the work of a log event), an element of a bounded MPSC queue, and a span
 * with one event. An invocation hands over a thousand, and ends when all of them are executed.
 *
 * <pre>mvn -Pjmh verify -Djmh.include=LogEventBenchmark</pre>
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LogEventBenchmark {
  private static final int TIMES = 1_000;

  /** A trace that keeps the last events only. */
  @State(Scope.Benchmark)
  public static class Traced {
    TraceManager trace;
    TraceNode node;

    @Setup
    public void open() {
      trace = TraceManager.open(TraceOptions.builder().retainEvents(1_000).build());
      node = trace.add(null, NodeOptions.label("n"));
    }

    @TearDown
    public void close() {
      trace.close();
    }
  }

  /** An executor with one thread. */
  @State(Scope.Benchmark)
  public static class Executed {
    ExecutorService executor;

    // The executor's thread's.
    final TraceEvent[] last = new TraceEvent[TIMES];
    long sequence;

    void add(TraceEvent event) {
      last[(int) (sequence++ % TIMES)] = event;
    }

    @Setup
    public void start() {
      executor = Executors.newSingleThreadExecutor();
    }

    @TearDown
    public void stop() {
      executor.shutdownNow();
    }
  }

  /** A bounded queue of as many elements as a trace takes, and a thread that empties it. */
  @State(Scope.Benchmark)
  public static class Queued {
    final MpscArrayQueue<Runnable> queue = new MpscArrayQueue<>(1_024);
    volatile boolean stopped;
    Thread consumer;

    @Setup
    public void start() {
      consumer =
          new Thread(
              () -> {
                while (!stopped) {
                  Runnable next = queue.relaxedPoll();
                  if (next == null) {
                    Thread.onSpinWait();
                  } else {
                    next.run();
                  }
                }
              });
      consumer.start();
    }

    @TearDown
    public void stop() throws InterruptedException {
      stopped = true;
      consumer.join();
    }
  }

  /** OpenTelemetry's batch span processor, with room for all, and an exporter that only counts. */
  @State(Scope.Benchmark)
  public static class Spanned {
    final AtomicLong exported = new AtomicLong();
    BatchSpanProcessor processor;
    SdkTracerProvider provider;
    Tracer tracer;

    @Setup
    public void start() {
      SpanExporter exporter =
          new SpanExporter() {
            @Override
            public CompletableResultCode export(Collection<SpanData> spans) {
              exported.addAndGet(spans.size());
              return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode flush() {
              return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode shutdown() {
              return CompletableResultCode.ofSuccess();
            }
          };
      processor = BatchSpanProcessor.builder(exporter).setMaxQueueSize(8 * TIMES).build();
      provider = SdkTracerProvider.builder().addSpanProcessor(processor).build();
      tracer = provider.get("benchmark");
    }

    @TearDown
    public void stop() {
      provider.close();
    }
  }

  /**
   * Spans that were ended by now are exported when the flush is done. A full queue would drop
   * spans, and look fast; it has room for more than are under way.
   */
  private static void span(Spanned peer) {
    for (int i = 0; i < TIMES; i++) {
      Span span = peer.tracer.spanBuilder("n").startSpan();
      span.addEvent("offers");
      span.end();
    }
    peer.processor.forceFlush().join(10, TimeUnit.SECONDS);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(1)
  public void spansByOne(Spanned peer) {
    span(peer);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(2)
  public void spansByTwo(Spanned peer) {
    span(peer);
  }

  /** The peer with the work of a log event: its time, the event, a place in a list. */
  private static void executeLogging(Executed peer) {
    AtomicLong own = new AtomicLong();
    for (int i = 0; i < TIMES; i++) {
      Instant at = Instant.now();
      peer.executor.execute(
          () -> {
            peer.add(
                new TraceEvent.LogAdded(
                    "trace", peer.sequence + 1, at, "n1", LogLevel.INFO, "offers", List.of()));
            own.lazySet(own.get() + 1);
          });
    }
    while (own.get() < TIMES) {
      Thread.onSpinWait();
    }
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(1)
  public void executorWithEventByOne(Executed peer) {
    executeLogging(peer);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(2)
  public void executorWithEventByTwo(Executed peer) {
    executeLogging(peer);
  }

  private static void trace(Traced traced) {
    for (int i = 0; i < TIMES; i++) {
      traced.node.info("offers");
    }
    // A reading is executed after all that this thread has handed over.
    traced.trace.status();
  }

  private static void execute(Executed peer) {
    AtomicLong own = new AtomicLong();
    for (int i = 0; i < TIMES; i++) {
      peer.executor.execute(() -> own.lazySet(own.get() + 1));
    }
    while (own.get() < TIMES) {
      Thread.onSpinWait();
    }
  }

  private static void queue(Queued peer) {
    AtomicLong own = new AtomicLong();
    for (int i = 0; i < TIMES; i++) {
      Runnable element = () -> own.lazySet(own.get() + 1);
      while (!peer.queue.offer(element)) {
        Thread.onSpinWait();
      }
    }
    while (own.get() < TIMES) {
      Thread.onSpinWait();
    }
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(1)
  public void traceByOne(Traced traced) {
    trace(traced);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(2)
  public void traceByTwo(Traced traced) {
    trace(traced);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(1)
  public void executorByOne(Executed peer) {
    execute(peer);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(2)
  public void executorByTwo(Executed peer) {
    execute(peer);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(1)
  public void jctoolsByOne(Queued peer) {
    queue(peer);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  @Threads(2)
  public void jctoolsByTwo(Queued peer) {
    queue(peer);
  }
}
