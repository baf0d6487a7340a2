package dev.stillframe.trace;

import static dev.stillframe.trace.Storms.logUntilClosed;
import static dev.stillframe.trace.Storms.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A full queue: who waits, who is woken, and that nothing that blocks takes the room for ever. */
@Timeout(180)
class WaitingForRoomTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void closeDoesNotWakeAProducerWaitingForRoom() {
    CountDownLatch inStore = new CountDownLatch(1);
    CountDownLatch storeMayGoOn = new CountDownLatch(1);
    TestStore store = new TestStore();
    store.before =
        events -> {
          inStore.countDown();
          Await.latch(storeMayGoOn);
        };
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder()
                .queueCapacity(4)
                .store(store)
                .closeTimeout(Duration.ofMillis(100))
                .build());
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    Await.latch(inStore);
    AtomicLong accepted = new AtomicLong();
    List<Thread> producers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      start(producers, () -> logUntilClosed(node, accepted));
    }
    producers.forEach(Await::parked);
    assertThat(node.status()).as("who reads is not held up").isEqualTo(NodeStatus.RUNNING);
    assertThat(trace.snapshot().nodes()).hasSize(1);
    trace.close();
    Await.join(producers);
    assertThat(accepted.get()).isBetween(2L, 4L);
    assertThat(trace.logs()).hasSize((int) accepted.get());
    assertThat(trace.stats().unwritten()).isPositive();
    storeMayGoOn.countDown();
    Await.until("the rest is written", () -> trace.stats().unwritten() == 0);
    assertThat(store.traces.get(trace.id())).isEqualTo(trace.eventList(0));
  }

  @Test
  void interruptedWhileWaitingForRoom() {
    CountDownLatch storeMayGoOn = new CountDownLatch(1);
    TestStore store = new TestStore();
    store.before = events -> Await.latch(storeMayGoOn);
    TraceManager trace =
        TraceManager.open(TraceOptions.builder().queueCapacity(2).store(store).build());
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    AtomicBoolean returned = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    Thread producer =
        start(
            threads,
            () -> {
              node.info("waits");
              stillInterrupted.set(Thread.currentThread().isInterrupted());
              returned.set(true);
            });
    Await.parked(producer);
    producer.interrupt();
    Await.until("the interrupt is taken note of", () -> !producer.isInterrupted());
    Await.parked(producer);
    assertThat(returned).isFalse();
    storeMayGoOn.countDown();
    Await.join(threads);
    assertThat(stillInterrupted).as("the flag is set again").isTrue();
    assertThat(trace.logs()).hasSize(1);
    trace.close();
  }

  @Test
  void aFullTraceRefusesIfTold() {
    CountDownLatch storeMayGoOn = new CountDownLatch(1);
    TestStore store = new TestStore();
    store.before = events -> Await.latch(storeMayGoOn);
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder().queueCapacity(3).refuseWhenFull().store(store).build());
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    node.info("1");
    assertThatExceptionOfType(TraceFullException.class)
        .isThrownBy(() -> node.info("2"))
        .withMessageContaining("3");
    storeMayGoOn.countDown();
    trace.close();
    assertThat(trace.logs()).hasSize(1);
    assertThat(trace.stats().refused()).isEqualTo(1);
  }

  @Test
  void callbacksThatBlockWhileASmallPoolIsBusy() {
    java.util.concurrent.ExecutorService pool =
        java.util.concurrent.Executors.newFixedThreadPool(2);
    try {
      CountDownLatch mayGoOn = new CountDownLatch(1);
      TestStore store = new TestStore();
      TraceManager trace =
          TraceManager.open(
              TraceOptions.builder().executor(pool).queueCapacity(4).store(store).build());
      List<TraceSubscription> subscriptions = new ArrayList<>();
      AtomicInteger calls = new AtomicInteger();
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      for (int i = 0; i < 4; i++) {
        subscriptions.add(
            trace.subscribe(
                event -> {
                  Await.latch(mayGoOn);
                  if (event.sequence() == 2) {
                    node.info("from a callback"); // which may wait for room
                  }
                  calls.incrementAndGet();
                }));
      }
      for (int i = 0; i < 1_000; i++) {
        node.info("{}", i);
      }
      assertThat(calls).as("all of the pool is blocked, the trace is not").hasValue(0);
      assertThat(trace.logs()).hasSize(1_000);
      mayGoOn.countDown();
      Await.until("each has written", () -> trace.logs().size() == 1_004);
      trace.markComplete();
      trace.close();
      subscriptions.forEach(s -> assertThat(s.awaitEnd(LONG)).isTrue());
      assertThat(calls).hasValue(4 * (int) trace.stats().events());
    } finally {
      pool.shutdownNow();
    }
  }
}
