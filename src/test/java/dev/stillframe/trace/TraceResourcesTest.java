package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.File;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handed cases of "Resources", and what the guarantees say of idle and released traces. */
@Timeout(300)
class TraceResourcesTest {

  private static Set<String> libraryThreads() {
    return SmallHeap.libraryThreads();
  }

  /** Runs a scenario of {@link SmallHeap} in a JVM of its own, for a bounded time. */
  private static void inHeapOf(String size, String scenario, int times) throws Exception {
    String separator = System.getProperty("path.separator");
    String modules = System.getProperty("jdk.module.path", "");
    String classPath =
        String.join(
            separator,
            Path.of("target", "classes").toAbsolutePath().toString(),
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            System.getProperty("java.class.path"),
            modules);
    File output = File.createTempFile("small-heap", ".log");
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + size,
                  "-cp",
                  classPath,
                  SmallHeap.class.getName(),
                  scenario,
                  String.valueOf(times))
              .redirectErrorStream(true)
              .redirectOutput(output)
              .start();
      boolean ended = process.waitFor(150, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(Files.readString(output.toPath()))
          .as("ended in time: %s", ended)
          .endsWith("done\n");
      assertThat(process.waitFor()).isZero();
    } finally {
      Files.delete(output.toPath());
    }
  }

  @Test
  void hundredThousandIdleTracesFitIn512Megabytes() throws Exception {
    inHeapOf("512m", "idle", 100_000);
  }

  @Test
  void finishedTracesAreNeverLetGo() throws Exception {
    inHeapOf("256m", "payload", 10_000);
  }

  @Test
  void tenThousandRoundsLeaveHeapAndThreadsWhereTheyWere() throws Exception {
    inHeapOf("64m", "rounds", 10_000);
  }

  @Test
  void hundredRoundsOfOpenWriteCompleteReleaseRemove() throws Exception {
    TestStore store = new TestStore();
    TraceRegistry registry = TraceRegistry.over(store);
    Await.until("threads of other tests have ended", () -> libraryThreads().isEmpty());
    int threads = Thread.activeCount();
    for (int i = 0; i < 100; i++) {
      TraceManager trace = registry.open();
      trace.add(i, NodeOptions.label("n")).info("{}", i);
      trace.markComplete();
      assertThat(registry.release(trace.id())).isTrue();
      assertThat(store.traces.get(trace.id())).hasSize(5);
      assertThat(registry.remove(trace.id())).isTrue();
      // The pool starts a thread when none waits at that moment; one for each round would pile up.
      assertThat(Thread.activeCount()).isLessThan(threads + 50);
    }
    assertThat(store.traces).isEmpty();
    Await.until("no thread of the library is left", () -> libraryThreads().isEmpty());
  }

  @Test
  void workerThreadsPileUp() {
    Await.until("threads of other tests have ended", () -> libraryThreads().isEmpty());
    int threads = Thread.activeCount();
    TestStore store = new TestStore();
    TraceRegistry registry = TraceRegistry.over(store);
    Clock broken =
        new SuppliedClock(
            () -> {
              throw new LinkageError("on purpose");
            });
    for (int i = 0; i < 1_000; i++) {
      TraceManager trace = registry.open();
      trace.subscribe(event -> {});
      trace.add(i, NodeOptions.label("n"));
      if (i % 2 == 0) {
        trace.cancel("half of them");
      }
      if (i % 5 == 0) {
        TraceOptions halfWay = TraceOptions.builder().id("half " + i).clock(broken).build();
        assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> registry.open(halfWay));
        TraceOptions taken = TraceOptions.builder().id(trace.id()).build();
        assertThatIllegalArgumentException().isThrownBy(() -> registry.open(taken));
      }
      trace.close();
    }
    assertThat(registry.list()).isEmpty();
    assertThat(store.traces).hasSize(1_000);
    Await.until("no thread of the library is left", () -> libraryThreads().isEmpty());
    Await.until("the thread count is back", () -> Thread.activeCount() <= threads);
  }

  @Test
  void waitsThatGiveUpLeaveNothing() {
    TraceManager trace = TraceManager.open();
    TraceSubscription open = trace.subscribe(event -> {});
    WeakReference<Thread> waited = waitInVain(open);
    Await.until(
        "the thread that has waited is collected",
        () -> {
          System.gc();
          return waited.get() == null;
        });
    assertThat(open.isEnded()).isFalse();
  }

  private static WeakReference<Thread> waitInVain(TraceSubscription open) {
    Thread waiting = new Thread(() -> open.awaitEnd(Duration.ofMillis(1)));
    waiting.start();
    Await.join(List.of(waiting));
    return new WeakReference<>(waiting);
  }

  @Test
  void aReleasedTraceLeavesNothing() {
    WeakReference<TraceManager> gone = released();
    Await.until(
        "it is collected",
        () -> {
          System.gc();
          return gone.get() == null;
        });
  }

  private static WeakReference<TraceManager> released() {
    TraceManager trace = TraceManager.open(TraceOptions.builder().store(new TestStore()).build());
    trace.subscribe(event -> {});
    trace.add(1, NodeOptions.label("n"));
    trace.close();
    return new WeakReference<>(trace);
  }
}
