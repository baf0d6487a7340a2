package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handed cases of "Resources", and what the guarantees say of idle and released traces. */
@Timeout(300)
class TraceResourcesTest {

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static Set<String> libraryThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("stillframe-"))
        .collect(Collectors.toSet());
  }

  @Test
  void anIdleTraceIsSmallAndHasNoThread() {
    Await.until("threads of other tests have ended", () -> libraryThreads().isEmpty());
    TraceManager.open().add(null, NodeOptions.label("warm"));
    long before = usedBytes();
    List<TraceManager> traces = new ArrayList<>(100_000);
    for (int i = 0; i < 100_000; i++) {
      TraceManager trace = TraceManager.open();
      trace.add("input", NodeOptions.label("node"));
      traces.add(trace);
    }
    assertThat(libraryThreads()).isEmpty();
    long each = (usedBytes() - before) / traces.size();
    assertThat(each).as("bytes of an idle trace with one node").isBetween(200L, 2_048L);
    assertThat(each * 100_000).isLessThan(512L << 20);
    assertThat(traces.get(99_999).nodes()).hasSize(1);
  }

  @Test
  void finishedTracesAreNeverLetGo() {
    TraceRegistry registry = TraceRegistry.create();
    String payload = "x".repeat(100_000);
    round(registry, payload, 0);
    long before = usedBytes();
    for (int i = 1; i < 10_000; i++) {
      round(registry, payload, i);
    }
    assertThat(registry.list()).isEmpty();
    assertThat(usedBytes() - before).isLessThan(20L << 20);
  }

  private static void round(TraceRegistry registry, String payload, int number) {
    TraceManager trace = registry.open();
    trace.add(payload + number, NodeOptions.label("n")).info("{}", number).complete(payload);
    switch (number % 3) {
      case 0 -> trace.markComplete();
      case 1 -> trace.cancel("round " + number);
      default -> trace.fail(new IllegalStateException("round " + number));
    }
    trace.close();
  }

  @Test
  void tenThousandRoundsLeaveHeapAndThreadsWhereTheyWere() {
    Await.until("threads of other tests have ended", () -> libraryThreads().isEmpty());
    int threads = Thread.activeCount();
    rounds(100);
    long before = usedBytes();
    rounds(10_000);
    Await.until("no thread of the library is left", () -> libraryThreads().isEmpty());
    Await.until("the thread count is back", () -> Thread.activeCount() <= threads);
    assertThat(usedBytes() - before).isLessThan(10L << 20);
  }

  private static void rounds(int times) {
    for (int i = 0; i < times; i++) {
      try (TraceManager trace = TraceManager.open()) {
        TraceSubscription subscription = i % 10 == 0 ? trace.subscribe(event -> {}) : null;
        trace.add(i, NodeOptions.label("n")).info("{}", i).complete(i);
        trace.markComplete();
        if (subscription != null && i % 20 == 0) {
          subscription.cancel();
        }
      }
    }
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
    TestStore store = new TestStore();
    TraceRegistry registry = TraceRegistry.over(store);
    for (int i = 0; i < 1_000; i++) {
      TraceManager trace = registry.open();
      trace.subscribe(event -> {});
      trace.add(i, NodeOptions.label("n"));
      if (i % 2 == 0) {
        trace.cancel("half of them");
      }
      trace.close();
    }
    assertThat(registry.list()).isEmpty();
    assertThat(store.traces).hasSize(1_000);
    Await.until("no thread of the library is left", () -> libraryThreads().isEmpty());
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
