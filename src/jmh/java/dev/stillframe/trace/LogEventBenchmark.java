package dev.stillframe.trace;

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
 * A log event from its call to its execution, beside a task of a single-threaded executor and an
 * element of a bounded MPSC queue. An invocation hands over a thousand, and ends when all of them
 * are executed.
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
