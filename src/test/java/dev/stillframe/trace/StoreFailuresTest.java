package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store refuses, and what it is offered. */
@Timeout(60)
class StoreFailuresTest {
  private static final int LOGS = 200;

  private final TestStore store = new TestStore();
  private final CountDownLatch allAreLogged = new CountDownLatch(1);

  /** Logs while the store is held up by the first event, so that the others come together. */
  private TraceManager logAll(String message) {
    TraceManager trace = TraceManager.open(TraceOptions.builder().id("t").store(store).build());
    TraceNode node = trace.add(null, NodeOptions.label("n")); // 2
    for (int i = 0; i < LOGS; i++) {
      node.info(message, i + 3); // its sequence number
    }
    allAreLogged.countDown();
    return trace;
  }

  private static boolean isRefused(TraceEvent event) {
    return event.sequence() % 50 == 0; // 50, 100, 150, 200
  }

  @Test
  void anEventThatIsRefusedTakesNoOtherWithIt() throws Exception {
    store.before =
        events -> {
          allAreLogged.await();
          if (events.stream().anyMatch(StoreFailuresTest::isRefused)) {
            throw new IOException("this one never");
          }
        };
    try (TraceManager trace = logAll("{}")) {
      assertThat(trace.flush()).isFalse();
      assertThat(trace.health().failedWrites()).isEqualTo(4);
      assertThat(trace.health().isStoring()).isTrue();
      assertThat(trace.health().lastFailure().message()).isEqualTo("this one never");
      assertThat(store.traces.get("t"))
          .extracting(TraceEvent::sequence)
          .isEqualTo(LongStream.rangeClosed(1, LOGS + 2).filter(n -> n % 50 != 0).boxed().toList());
    }
  }

  @Test
  void aStoreThatKeepsNothingIsOfferedEachEvent() throws Exception {
    List<Long> alone = Collections.synchronizedList(new ArrayList<>());
    store.before =
        events -> {
          allAreLogged.await();
          if (events.size() == 1) {
            alone.add(events.get(0).sequence());
          }
          throw new OutOfMemoryError("on purpose");
        };
    try (TraceManager trace = logAll("{}")) {
      assertThat(trace.flush()).isFalse();
      assertThat(trace.health().failedWrites()).isEqualTo(LOGS + 2);
      assertThat(trace.health().isStoring()).isFalse();
      assertThat(alone).isEqualTo(LongStream.rangeClosed(1, LOGS + 2).boxed().toList());
    }
  }

  @Test
  void aFlushThatHangsIsNotWaitedForWithoutEnd() {
    CountDownLatch hanging = new CountDownLatch(1);
    store.onFlush = () -> Await.latch(hanging);
    try (TraceManager trace =
        TraceManager.open(
            TraceOptions.builder().store(store).closeTimeout(Duration.ofMillis(50)).build())) {
      assertThat(trace.flush()).isFalse();
      trace.add(null, NodeOptions.label("n"));
      hanging.countDown();
      assertThat(trace.flush()).isTrue();
    } finally {
      hanging.countDown();
    }
  }

  /** A store needs memory for all that it is to write at once. */
  @Test
  void fewBigEventsAreOfferedAtOnce() throws Exception {
    List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    store.before =
        events -> {
          allAreLogged.await();
          sizes.add(events.size());
        };
    try (TraceManager trace = logAll("x".repeat(100_000))) {
      assertThat(trace.flush()).isTrue();
      assertThat(sizes).allMatch(size -> size <= 8).contains(6);
    }
  }
}
