package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.state.StateDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Traces that are opened, written, ended and released, and one that lives on with subscribers fast
 * and slow, for as long as {@code stillframe.soak.seconds} says. Nobody misses an event unseen, no
 * pair of values is torn, and heap and threads stay flat.
 */
@Tag("soak")
class TraceSoakTest {
  private static final Duration TIME =
      Duration.ofSeconds(Long.getLong("stillframe.soak.seconds", 60));

  /** More than what happens to be in flight when a sample is taken. */
  private static final long FLAT = 8_000_000;

  private static final int MOST_THREADS = 60;

  private final TestStore store = new TestStore();
  private final TraceRegistry registry = TraceRegistry.over(store);
  private final TraceManager lasting =
      TraceManager.open(TraceOptions.builder().retainEvents(1_000).build());
  private final TraceNode node = lasting.add(null, NodeOptions.label("lasting"));
  private final TraceSpace space = lasting.createSpace(SpaceOptions.name("pairs"));

  private final CountDownLatch over = new CountDownLatch(1);
  private final LongAdder lives = new LongAdder();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder gaps = new LongAdder();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** Work to be done again and again. */
  private interface Work {
    void run(long round) throws Exception;
  }

  private Thread repeat(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                for (long round = 0; over.getCount() > 0; round++) {
                  work.run(round);
                }
              } catch (Throwable thrown) {
                failures.add(thrown);
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void nothingIsMissedAndHeapAndThreadsAreFlat() throws Exception {
    Checking slow = new Checking(0, /* pauseNanos= */ 1_000_000);
    TraceSubscription lagging = lasting.subscribe(slow);
    List<Thread> threads =
        List.of(
            repeat(this::live),
            repeat(this::live),
            repeat(round -> node.info("round {}", round)),
            repeat(this::writePair),
            repeat(round -> checkPair()),
            repeat(this::comeAndGo));
    List<Long> heap = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    int samples = 20;
    for (int i = 0; i < samples; i++) {
      boolean early = over.await(TIME.toMillis() / samples, TimeUnit.MILLISECONDS);
      assertThat(early).isFalse();
      heap.add(SmallHeap.usedBytes());
      counts.add(Thread.activeCount());
      System.out.printf(
          "%,d lives, %,d events of the lasting trace, %,d delivered, %,d gaps, heap %,d KB, %d"
              + " threads%n",
          lives.sum(),
          lasting.stats().events(),
          delivered.sum(),
          gaps.sum(),
          heap.get(i) / 1_000,
          counts.get(i));
    }
    over.countDown();
    Await.join(threads);
    lagging.cancel();
    lasting.markComplete();
    lasting.close();

    assertThat(failures).isEmpty();
    assertThat(slow.wrong).isEmpty();
    assertThat(lasting.stats().failed()).isZero();
    assertThat(lasting.stats().subscriberFailures()).isZero();
    assertThat(registry.list()).isEmpty();
    assertThat(store.traces).isEmpty();
    assertThat(lives.sum()).isPositive();
    assertThat(Collections.min(heap.subList(samples / 2, samples)))
        .as("heap in bytes, sample by sample: %s", heap)
        .isLessThan(Collections.max(heap.subList(0, samples / 2)) + FLAT);
    assertThat(Collections.max(counts)).as("threads: %s", counts).isLessThan(MOST_THREADS);
    Await.until("no thread is left", () -> SmallHeap.libraryThreads().isEmpty());
  }

  /** Sees that the events it gets are without a hole that it was not told of. */
  private final class Checking implements java.util.function.Consumer<TraceEvent> {
    final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final long pauseNanos;
    private long last;
    final AtomicLong got = new AtomicLong();

    Checking(long after, long pauseNanos) {
      last = after;
      this.pauseNanos = pauseNanos;
    }

    @Override
    public void accept(TraceEvent event) {
      long first = event.sequence();
      if (event instanceof TraceEvent.Gap gap) {
        first = gap.firstMissing();
        gaps.increment();
      }
      if (first != last + 1) {
        wrong.add(event + " came after " + last);
      }
      last = event.sequence();
      got.incrementAndGet();
      delivered.increment();
      if (pauseNanos > 0) {
        LockSupport.parkNanos(pauseNanos);
      }
    }
  }

  /** The whole life of a trace, ended in one of several ways. */
  private void live(long round) throws Exception {
    TraceManager trace = registry.open();
    Checking checking = new Checking(0, round % 7 == 0 ? 100_000 : 0);
    TraceSubscription subscription = trace.subscribe(checking);
    trace.add(round, NodeOptions.label("root"));
    List<TraceNode> branches = trace.parallel(NodeSpec.of(1, "a"), NodeSpec.of(2, "b"));
    branches.get(0).info("{}", new byte[1_000]).complete(round);
    TraceSpace own = trace.createSpace(SpaceOptions.name("s"));
    AtomicBoolean conflict = new AtomicBoolean();
    trace.all(
        List.of(
            Branch.of("x", context -> context.state().update("n", old -> 1)),
            Branch.of("y", context -> context.state().set("m", 2))),
        BranchOptions.defaults()
            .state(
                own,
                (key, base, current, draft) -> {
                  conflict.set(true);
                  return draft;
                }));
    switch ((int) (round % 4)) {
      case 0 -> trace.markComplete();
      case 1 -> trace.cancel("round " + round);
      case 2 -> trace.fail(new IllegalStateException("round " + round));
      default -> {}
    }
    trace.close();
    if (!subscription.awaitEnd(Duration.ofSeconds(60))) {
      throw new AssertionError("a subscription has not ended");
    }
    assertThat(conflict).isFalse();
    assertThat(own.all().asMap()).isEqualTo(Map.of("n", 1, "m", 2));
    assertThat(checking.wrong).isEmpty();
    assertThat(checking.got).hasValue(trace.stats().events());
    assertThat(store.traces.get(trace.id())).hasSize((int) trace.stats().events());
    registry.remove(trace.id());
    lives.increment();
  }

  private void writePair(long round) {
    space.apply(StateDelta.builder().set("left", round).set("right", -round).build());
    if (round % 100 == 0) {
      space.clear();
    }
  }

  private void checkPair() {
    for (Map<String, Object> pair :
        List.of(space.all().asMap(), lasting.spaces().get(0).values().asMap())) {
      if (!pair.isEmpty()) {
        assertThat(pair.get("right")).isEqualTo(-(Long) pair.get("left"));
      }
    }
  }

  /** A subscriber that joins where the trace is, gets some events, and leaves. */
  private void comeAndGo(long round) {
    long after = lasting.stats().events();
    Checking checking = new Checking(after, 0);
    try (TraceSubscription subscription = lasting.subscribe(after, checking)) {
      Await.until("some have come", () -> checking.got.get() > 50 || over.getCount() == 0);
      assertThat(subscription.isEnded()).isFalse();
    }
    assertThat(checking.wrong).isEmpty();
  }
}
