package dev.stillframe.trace;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What {@link TraceResourcesTest} runs in a JVM of its own, with as large a heap as a claim says.
 * It prints how far it is, and throws if the claim does not hold.
 */
final class SmallHeap {
  private SmallHeap() {}

  public static void main(String[] args) {
    switch (args[0]) {
      case "idle" -> idleTraces(Integer.parseInt(args[1]));
      case "payload" -> finishedTracesWithPayload(Integer.parseInt(args[1]));
      case "rounds" -> rounds(Integer.parseInt(args[1]));
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("done");
  }

  private static void require(boolean claim, String otherwise) {
    if (!claim) {
      throw new AssertionError(otherwise);
    }
  }

  static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  static Set<String> libraryThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("stillframe-"))
        .collect(Collectors.toSet());
  }

  private static void progress(int i, int times) {
    if (i % (times / 10) == 0) {
      Runtime runtime = Runtime.getRuntime();
      long used = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
      System.out.println(i + " of " + times + ", " + used + " MB used");
    }
  }

  private static void idleTraces(int times) {
    TraceManager.open().add(null, NodeOptions.label("warm"));
    long before = usedBytes();
    List<TraceManager> traces = new ArrayList<>(times);
    for (int i = 0; i < times; i++) {
      TraceManager trace = TraceManager.open();
      trace.add("input", NodeOptions.label("node"));
      traces.add(trace);
      progress(i, times);
    }
    require(libraryThreads().isEmpty(), "threads: " + libraryThreads());
    long each = (usedBytes() - before) / times;
    System.out.println(each + " bytes each");
    require(each > 200 && each <= 2_048, "an idle trace with one node has " + each + " bytes");
    for (TraceManager trace : traces) {
      require(trace.nodes().size() == 1, "a trace has lost its node");
    }
  }

  private static void finishedTracesWithPayload(int times) {
    TraceRegistry registry = TraceRegistry.create();
    payload(registry, 0);
    long before = usedBytes();
    for (int i = 0; i < times; i++) {
      payload(registry, i);
      progress(i, times);
    }
    require(registry.list().isEmpty(), "traces are left: " + registry.list().size());
    long more = usedBytes() - before;
    System.out.println(more + " bytes more than before");
    require(more < 10L << 20, "the heap has grown by " + more);
  }

  private static void payload(TraceRegistry registry, int number) {
    TraceManager trace = registry.open();
    // As bytes, 100 KB of their own for each round.
    trace.add(new byte[25_000], NodeOptions.label("n")).complete("x".repeat(100_000) + number);
    switch (number % 3) {
      case 0 -> trace.markComplete();
      case 1 -> trace.cancel("round " + number);
      default -> trace.fail(new IllegalStateException("round " + number));
    }
    trace.close();
  }

  private static void rounds(int times) {
    round(1);
    Await.until("threads have ended", () -> libraryThreads().isEmpty());
    int threads = Thread.activeCount();
    for (int i = 0; i < 1_000; i++) {
      round(i);
    }
    long before = usedBytes();
    WeakReference<TraceManager> last = null;
    for (int i = 0; i < times; i++) {
      last = new WeakReference<>(round(i));
      progress(i, times);
    }
    Await.until("no thread of the library is left", () -> libraryThreads().isEmpty());
    Await.until("the thread count is back", () -> Thread.activeCount() <= threads);
    long more = usedBytes() - before;
    System.out.println(more + " bytes more than before");
    require(more < 2L << 20, "the heap has grown by " + more);
    require(last.get() == null, "a released trace is still held");
  }

  private static TraceManager round(int i) {
    try (TraceManager trace = TraceManager.open()) {
      TraceSubscription subscription = i % 10 == 0 ? trace.subscribe(event -> {}) : null;
      trace.add(i, NodeOptions.label("n")).info("{}", i).complete(i);
      trace.markComplete();
      if (subscription != null && i % 20 == 0) {
        subscription.cancel();
      }
      return trace;
    }
  }
}
