package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stacks that overflow, stores that read wrongly, arguments that throw: none of it spreads. */
@Timeout(120)
class HostileSurroundingsTest {

  /** A recursion that has no end, and traces each step. */
  private static int recurse(TraceNode node, AtomicLong logged, int depth) {
    node.info("step {}", depth);
    logged.incrementAndGet();
    return recurse(node, logged, depth + 1) + 1;
  }

  @Test
  void traceGoesOnAfterAStackOverflowInTheCodeThatTraces() throws Exception {
    AtomicLong logged = new AtomicLong();
    AtomicLong received = new AtomicLong();
    TraceManager trace =
        TraceManager.open(TraceOptions.builder().store(TraceStore.inMemory()).build());
    TraceSubscription subscription =
        trace.subscribe(
            event -> {
              if (event.sequence() == received.get() + 1) {
                received.set(event.sequence());
              }
            });
    TraceNode node = trace.add(null, NodeOptions.label("recursion"));
    for (int round = 0; round < 60; round++) {
      long stack = 160_000 + 256L * round;
      Thread deep =
          new Thread(
              null,
              () -> {
                try {
                  recurse(node, logged, 0);
                } catch (StackOverflowError expected) {
                  // which is the point
                }
              },
              "deep",
              stack);
      deep.start();
      Await.join(List.of(deep));
      node.info("after round {}", round);
      logged.incrementAndGet();
    }
    assertThat(trace.markComplete()).isTrue();
    trace.close();

    assertThat(trace.stats().unwritten()).isZero();
    assertThat((long) trace.logs().size()).isGreaterThanOrEqualTo(logged.get() - 60);
    assertThat(subscription.awaitEnd(java.time.Duration.ofSeconds(60))).isTrue();
    assertThat(received.get()).isEqualTo(trace.stats().events());
  }

  @Test
  void callbacksThatComputeWithoutEndHoldUpNobodyElse() throws Exception {
    AtomicInteger spinning = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(1);
    try (TraceManager busy = TraceManager.open();
        TraceManager other = TraceManager.open()) {
      int spinners = Runtime.getRuntime().availableProcessors() + 1;
      for (int i = 0; i < spinners; i++) {
        busy.subscribe(
            event -> {
              spinning.incrementAndGet();
              while (over.getCount() > 0) {
                Thread.onSpinWait();
              }
            });
      }
      Await.until("all spin", () -> spinning.get() == spinners);
      CountDownLatch heard = new CountDownLatch(1);
      other.subscribe(event -> heard.countDown());
      Await.latch(heard);
      assertThat(other.all(List.of(Branch.of("works", context -> "ok"))).get(0).value())
          .isEqualTo("ok");
      over.countDown();
    }
  }

  /** Gives back what was not asked for, and worse. */
  private static final class BadlyReadingStore implements TraceStore {
    private final TraceStore good = TraceStore.inMemory();
    volatile int fault;

    @Override
    public void append(String traceId, List<TraceEvent> events) throws Exception {
      good.append(traceId, events);
    }

    @Override
    @SuppressWarnings("NullAway") // on purpose
    public List<TraceEvent> read(String traceId, long after, int limit) throws Exception {
      return switch (fault) {
        case 1 -> good.read(traceId, Math.max(0, after - 1), limit);
        case 2 -> null;
        case 3 -> new ArrayList<>(Arrays.asList((TraceEvent) null));
        default -> good.read(traceId, after, limit);
      };
    }

    @Override
    public boolean remove(String traceId) throws Exception {
      return good.remove(traceId);
    }

    @Override
    public List<String> list() throws Exception {
      return good.list();
    }
  }

  @Test
  void storeThatReadsWronglyLeadsNoReaderAstray() throws Exception {
    for (int fault = 0; fault <= 3; fault++) {
      BadlyReadingStore store = new BadlyReadingStore();
      TraceManager trace =
          TraceManager.open(TraceOptions.builder().store(store).retainEvents(256).build());
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      for (int i = 0; i < 2_000; i++) {
        node.info("entry {}", i);
      }
      trace.markComplete();
      trace.close();
      store.fault = fault;
      List<TraceEvent> events = trace.eventList(0);

      long expected = 1;
      for (TraceEvent event : events) {
        if (event instanceof TraceEvent.Gap gap) {
          assertThat(gap.firstMissing()).as("fault %d", fault).isEqualTo(expected);
        } else {
          assertThat(event.sequence()).as("fault %d", fault).isEqualTo(expected);
        }
        expected = event.sequence() + 1;
      }
      assertThat(expected).isEqualTo(trace.stats().events() + 1);
      if (fault == 0) {
        assertThat(events).noneMatch(TraceEvent.Gap.class::isInstance);
      }
    }
  }

  @Test
  void argumentThatCannotSayWhatItIsSpoilsNothingElse() {
    Object hostile =
        new Object() {
          @Override
          public String toString() {
            throw new AssertionError("no text");
          }
        };
    try (TraceManager trace = TraceManager.open()) {
      TraceNode node = trace.add(hostile, NodeOptions.label("n"));
      AtomicInteger counter = new AtomicInteger(1);
      node.info("{} and {} and {}", hostile, "text", counter);
      counter.set(99);

      assertThat(trace.logs().get(0).text())
          .startsWith("(its toString threw java.lang.AssertionError)")
          .endsWith("and text and 1");
      assertThat(TraceViews.chromeTrace(trace.snapshot(), trace.logs())).contains("and text and 1");
      assertThatNullPointerException()
          .isThrownBy(() -> node.info("{}", (Object[]) null))
          .withMessageContaining("arguments");
    }
  }

  @Test
  void boundInBytesCountsErrorsAndReasonsToo() {
    try (TraceManager trace =
        TraceManager.open(TraceOptions.builder().retainBytes(1_000_000).build())) {
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      for (int i = 0; i < 2_000; i++) {
        node.error("failed: {}", new IllegalStateException("x".repeat(10_000)));
      }
      long afterErrors = trace.stats().oldestEvent();
      assertThat(afterErrors).isGreaterThan(1_000);
      for (int i = 0; i < 2_000; i++) {
        trace.add(null, NodeOptions.label("c").keepParentsOpen()).cancel("y".repeat(10_000));
      }
      assertThat(trace.stats().oldestEvent()).isGreaterThan(afterErrors + 2_000);
    }
  }

  @Test
  void closedRegistryHasNoOpenTraceWhoeverRacesWithTheClose() throws Exception {
    for (int round = 0; round < 200; round++) {
      TraceRegistry registry = TraceRegistry.create();
      List<Thread> openers = new ArrayList<>();
      CountDownLatch first = new CountDownLatch(1);
      for (int i = 0; i < 2; i++) {
        Thread opener =
            new Thread(
                () -> {
                  try {
                    for (; ; ) {
                      registry.open();
                      first.countDown();
                    }
                  } catch (IllegalStateException closed) {
                    assertThat(closed).hasMessageContaining("closed");
                  }
                });
        openers.add(opener);
        opener.start();
      }
      Await.latch(first);
      registry.close();
      Await.join(openers);
      assertThat(registry.list()).isEmpty();
      assertThatIllegalStateException().isThrownBy(registry::open);
    }
  }
}
