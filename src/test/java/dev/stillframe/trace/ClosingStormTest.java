package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storms of the original report, and the handed cases of "Close and shutdown". */
@Timeout(180)
class ClosingStormTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static Thread start(List<Thread> threads, Runnable body) {
    Thread thread = new Thread(body);
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Logs until refused, and counts what was accepted. */
  private static void logUntilClosed(TraceNode node, AtomicLong accepted) {
    try {
      for (long i = 0; ; i++) {
        node.info("{}", i);
        accepted.incrementAndGet();
      }
    } catch (TraceClosedException closed) {
      // the storm is over for this thread
    }
  }

  @RepeatedTest(20)
  void twentyWritersAgainstRelease() {
    TestStore store = new TestStore();
    TraceManager trace =
        TraceManager.open(TraceOptions.builder().queueCapacity(16).store(store).build());
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    AtomicLong accepted = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      start(threads, () -> logUntilClosed(node, accepted));
    }
    Await.until("some are accepted", () -> accepted.get() > 500);
    trace.close();
    List<TraceEvent> written = List.copyOf(store.traces.get(trace.id()));
    assertThat(trace.stats().queueDepth()).isZero();
    Await.join(threads);
    assertThat(trace.logs()).hasSize((int) accepted.get());
    assertThat(written).as("all of it, when close returned").isEqualTo(trace.eventList(0));
    assertThat(trace.stats().refused()).isEqualTo(20);
    assertThat(trace.stats().failed()).isZero();
  }

  @Test
  void writingWhileTheTraceIsBeingReleased() {
    TestStore store = new TestStore();
    TraceRegistry registry = TraceRegistry.over(store);
    for (int round = 0; round < 100; round++) {
      boolean cancels = round % 2 == 0;
      TraceManager trace = registry.open(TraceOptions.builder().queueCapacity(4).build());
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      TraceSpace space = trace.createSpace(SpaceOptions.name("s"));
      AtomicLong logged = new AtomicLong();
      AtomicLong set = new AtomicLong();
      AtomicInteger won = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        start(threads, () -> logUntilClosed(node, logged));
        start(
            threads,
            () -> {
              try {
                while (true) {
                  space.update("n", old -> old == null ? 1L : (Long) old + 1);
                  set.incrementAndGet();
                }
              } catch (TraceClosedException closed) {
                // released
              }
            });
      }
      Await.until("they write", () -> logged.get() > 20 && set.get() > 20);
      start(
          threads,
          () -> {
            try {
              won.addAndGet((cancels ? trace.cancel("user") : trace.markComplete()) ? 1 : 0);
            } catch (TraceClosedException released) {
              // the release came first
            }
          });
      trace.close();
      Await.join(threads);
      assertThat(trace.logs()).hasSize((int) logged.get());
      assertThat(space.get("n")).isEqualTo(set.get());
      assertThat(trace.status())
          .isEqualTo(
              won.get() == 0
                  ? TraceStatus.INTERRUPTED
                  : cancels ? TraceStatus.CANCELLED : TraceStatus.COMPLETED);
      assertThatExceptionOfType(TraceClosedException.class).isThrownBy(() -> node.info("late"));
      assertThat(store.traces.get(trace.id())).isEqualTo(trace.eventList(0));
    }
    assertThat(registry.list()).isEmpty();
  }

  @RepeatedTest(20)
  void completeThenReleaseThenLateCalls() {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    assertThat(trace.markComplete()).isTrue();
    trace.close();
    TraceSnapshot before = trace.snapshot();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger refused = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      start(
          threads,
          () -> {
            for (Runnable late : lateCalls(trace, node)) {
              try {
                late.run();
              } catch (TraceClosedException closed) {
                refused.incrementAndGet();
              }
            }
          });
    }
    Await.join(threads);
    assertThat(refused.get()).isEqualTo(4 * lateCalls(trace, node).size());
    assertThat(trace.snapshot()).isEqualTo(before);
    assertThat(node.complete()).isFalse();
    assertThat(trace.cancel("late")).isFalse();
    assertThat(trace.markComplete()).isFalse();
    assertThat(trace.fail(new IllegalStateException())).isFalse();
    assertThat(trace.snapshot()).isEqualTo(before);
  }

  private static List<Runnable> lateCalls(TraceManager trace, TraceNode node) {
    return List.of(
        () -> trace.add(null, NodeOptions.defaults()),
        () -> trace.parallel(NodeSpec.of(1, "a")),
        () -> trace.run("x", n -> 1),
        () -> node.add(null, NodeOptions.defaults()),
        () -> node.parallel(NodeSpec.of(1, "a")),
        () -> node.join(List.of(), null, NodeOptions.defaults()),
        () -> node.info("late"),
        () -> node.setOutput(1),
        () -> node.setMetadata(java.util.Map.of("a", 1)),
        () -> node.cancelTree("late"),
        node::start);
  }

  @Test
  void everyCallAfterTheFlag() {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    trace.close();
    for (Runnable late : lateCalls(trace, node)) {
      assertThatExceptionOfType(TraceClosedException.class)
          .isThrownBy(late::run)
          .withMessageContaining(trace.id())
          .withMessageContaining("released");
    }
    assertThatExceptionOfType(TraceClosedException.class).isThrownBy(trace::markComplete);
    assertThatExceptionOfType(TraceClosedException.class).isThrownBy(() -> trace.cancel("x"));
    assertThatExceptionOfType(TraceClosedException.class).isThrownBy(node::complete);
    assertThat(trace.status()).isEqualTo(TraceStatus.INTERRUPTED);
    assertThat(node.status()).isEqualTo(NodeStatus.RUNNING);
    trace.close();
  }

  @RepeatedTest(20)
  void cancelAgainstRelease() {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    List<Thread> threads = new ArrayList<>();
    AtomicLong accepted = new AtomicLong();
    AtomicBoolean cancelled = new AtomicBoolean();
    for (int i = 0; i < 4; i++) {
      start(threads, () -> logUntilClosed(node, accepted));
    }
    Await.until("the storm is on", () -> accepted.get() > 100);
    start(
        threads,
        () -> {
          try {
            cancelled.set(trace.cancel("user"));
          } catch (TraceClosedException closed) {
            // the release came first
          }
        });
    start(threads, trace::close);
    Await.join(threads);
    TraceSnapshot snapshot = trace.snapshot();
    assertThat(snapshot.status())
        .isEqualTo(cancelled.get() ? TraceStatus.CANCELLED : TraceStatus.INTERRUPTED);
    assertThat(snapshot.reason()).isEqualTo(cancelled.get() ? "user" : null);
    assertThat(node.status())
        .isEqualTo(cancelled.get() ? NodeStatus.CANCELLED : NodeStatus.RUNNING);
    assertThat(trace.logs()).hasSize((int) accepted.get());
  }

  @Test
  void successOverwritesACancellation() {
    for (int round = 0; round < 500; round++) {
      TraceManager trace = TraceManager.open();
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      List<Thread> threads = new ArrayList<>();
      AtomicBoolean cancelled = new AtomicBoolean();
      AtomicBoolean completed = new AtomicBoolean();
      start(threads, () -> cancelled.set(trace.cancel("user")));
      start(threads, () -> completed.set(trace.markComplete()));
      Await.join(threads);
      assertThat(node.complete("late")).isFalse();
      assertThat(cancelled.get()).isNotEqualTo(completed.get());
      TraceSnapshot snapshot = trace.snapshot();
      assertThat(snapshot.status())
          .isEqualTo(cancelled.get() ? TraceStatus.CANCELLED : TraceStatus.COMPLETED);
      assertThat(snapshot.reason()).isEqualTo(cancelled.get() ? "user" : null);
      assertThat(trace.eventList(0).stream().filter(TraceEvent.Complete.class::isInstance))
          .hasSize(1);
    }
  }

  @RepeatedTest(10)
  void aParentCompletesAndReleasesWhileForkedChildrenStillWrite() {
    TraceManager trace = TraceManager.open();
    trace.add(null, NodeOptions.label("parent"));
    NodeSpec[] specs = new NodeSpec[10];
    for (int i = 0; i < specs.length; i++) {
      specs[i] = NodeSpec.of(i, "child " + i);
    }
    List<TraceNode> children = trace.parallel(specs);
    AtomicLong accepted = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    children.forEach(child -> start(threads, () -> logUntilClosed(child, accepted)));
    Await.until("they write", () -> accepted.get() > 200);
    assertThat(trace.markComplete()).isTrue();
    trace.close();
    Await.join(threads);
    assertThat(trace.logs()).hasSize((int) accepted.get());
    assertThat(trace.nodes()).allMatch(node -> node.status() == NodeStatus.COMPLETED);
    List<TraceEvent> events = trace.eventList(0);
    assertThat(events.get(events.size() - 1)).isInstanceOf(TraceEvent.Complete.class);
  }

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
  void closingFromInsideACallback() {
    for (int round = 0; round < 100; round++) {
      TraceManager trace = TraceManager.open();
      AtomicInteger others = new AtomicInteger();
      TraceSubscription other = trace.subscribe(event -> others.incrementAndGet());
      AtomicInteger own = new AtomicInteger();
      TraceSubscription[] closing = new TraceSubscription[1];
      CountDownLatch subscribed = new CountDownLatch(1);
      closing[0] =
          trace.subscribe(
              event -> {
                Await.latch(subscribed);
                own.incrementAndGet();
                if (event.type().equals("node_start")) {
                  trace.markComplete();
                  trace.close();
                  closing[0].cancel();
                  assertThat(closing[0].awaitEnd(LONG)).isTrue();
                }
              });
      subscribed.countDown();
      trace.add(null, NodeOptions.label("n"));
      assertThat(closing[0].awaitEnd(LONG)).isTrue();
      assertThat(other.awaitEnd(LONG)).isTrue();
      assertThat(trace.status()).isEqualTo(TraceStatus.COMPLETED);
      assertThat(others).hasValue(4);
      assertThat(own).hasValue(2);
      assertThat(trace.stats().subscriberFailures()).isZero();
    }
  }

  @Test
  void closingFromInsideTheStore() {
    AtomicBoolean closed = new AtomicBoolean();
    TestStore store = new TestStore();
    TraceManager[] trace = new TraceManager[1];
    CountDownLatch opened = new CountDownLatch(1);
    store.before =
        events -> {
          Await.latch(opened);
          if (!closed.getAndSet(true)) {
            trace[0].add(null, NodeOptions.label("by the store, which is not held up by itself"));
            trace[0].close();
          }
        };
    trace[0] = TraceManager.open(TraceOptions.builder().queueCapacity(1).store(store).build());
    opened.countDown();
    Await.until("it is closed", () -> trace[0].stats().unwritten() == 0 && closed.get());
    trace[0].close();
    assertThat(store.traces.get(trace[0].id())).isEqualTo(trace[0].eventList(0)).hasSize(2);
  }

  @Test
  void theFinalEventIsRecordedButNeverDelivered() {
    TestStore store = new TestStore();
    for (int round = 0; round < 500; round++) {
      TraceManager trace = TraceManager.open(TraceOptions.builder().store(store).build());
      List<String> got = Collections.synchronizedList(new ArrayList<>());
      TraceSubscription subscription = trace.subscribe(event -> got.add(event.type()));
      trace.markComplete();
      trace.close();
      assertThat(store.traces.get(trace.id()))
          .extracting(TraceEvent::type)
          .containsExactly("init", "complete");
      assertThat(subscription.awaitEnd(LONG)).isTrue();
      assertThat(got).containsExactly("init", "complete");
    }
  }

  @Test
  void theWorkerDiesOfAnUnexpectedThrowable() {
    List<Throwable> bad = List.of(new Exception("checked"), new StackOverflowError("error"));
    for (Throwable first : bad) {
      TestStore store = new TestStore();
      AtomicBoolean thrown = new AtomicBoolean();
      store.before =
          events -> {
            if (!thrown.getAndSet(true)) {
              if (first instanceof Exception e) {
                throw e;
              }
              throw (Error) first;
            }
          };
      TraceManager trace = TraceManager.open(TraceOptions.builder().store(store).build());
      Await.until("the first write has failed", () -> trace.stats().failedWrites() == 1);
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      for (int i = 0; i < 9; i++) {
        node.info("{}", i);
      }
      assertThat(trace.markComplete()).isTrue();
      trace.close();
      assertThat(trace.stats().failedWrites()).isEqualTo(1);
      assertThat(store.traces.get(trace.id())).isEqualTo(trace.eventList(1)).hasSize(12);
    }
  }

  @Test
  void theSecondCloseNeverReturns() {
    for (int round = 0; round < 100; round++) {
      TraceManager trace = TraceManager.open();
      trace.add(null, NodeOptions.label("n"));
      AtomicInteger won = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int which = i;
        start(
            threads,
            () -> {
              boolean first = which % 2 == 0 ? trace.markComplete() : trace.cancel("c");
              if (first) {
                won.incrementAndGet();
              }
              trace.close();
              trace.close();
            });
      }
      Await.join(threads);
      assertThat(won).hasValue(1);
      assertThat(trace.eventList(0).stream().filter(TraceEvent.Complete.class::isInstance))
          .hasSize(1);
    }
  }

  @RepeatedTest(20)
  void aCommandAcceptedAfterTheStopNeverFinishes() {
    TraceManager trace = TraceManager.open(TraceOptions.builder().queueCapacity(2).build());
    trace.add(null, NodeOptions.label("root"));
    AtomicInteger answered = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      start(
          threads,
          () -> {
            try {
              while (true) {
                trace.add(null, NodeOptions.label("n")); // waits for its answer
                answered.incrementAndGet();
              }
            } catch (TraceClosedException closed) {
              // refused
            }
          });
    }
    Await.until("some are answered", () -> answered.get() > 50);
    trace.close();
    Await.join(threads);
    assertThat(trace.nodes()).hasSize(answered.get() + 1);
  }

  @Test
  void aRejectingExecutorIsHarmless() {
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder()
                .executor(
                    task -> {
                      throw new java.util.concurrent.RejectedExecutionException("on purpose");
                    })
                .build());
    List<String> got = Collections.synchronizedList(new ArrayList<>());
    TraceSubscription subscription = trace.subscribe(event -> got.add(event.type()));
    trace.add(null, NodeOptions.label("n")).info("x");
    trace.markComplete();
    trace.close();
    assertThat(subscription.awaitEnd(LONG)).isTrue();
    assertThat(got).containsExactly("init", "node_start", "log_added", "node_complete", "complete");
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

  @Test
  void aUserFunctionThatThrowsAnErrorChangesNothing() {
    AtomicBoolean bad = new AtomicBoolean();
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder()
                .redactor(
                    (path, key, value) -> {
                      if (bad.get()) {
                        throw new LinkageError("on purpose");
                      }
                      return value;
                    })
                .build());
    TraceNode node = trace.add(1, NodeOptions.label("n"));
    TraceSnapshot before = trace.snapshot();
    bad.set(true);
    assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> node.complete("x"));
    assertThatExceptionOfType(LinkageError.class)
        .isThrownBy(() -> trace.add("x", NodeOptions.label("m")));
    assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> node.info("{}", "x"));
    assertThat(trace.snapshot()).isEqualTo(before);
    bad.set(false);
    assertThat(node.complete("x")).isTrue();
  }
}
