package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.ref.WeakReference;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handed cases of "Replay and resume", "Subscribers" and "Order, time and identity". */
@Timeout(180)
class EventReadingTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private static void log(TraceNode node, int times) {
    for (int i = 0; i < times; i++) {
      node.info("event {}", i);
    }
  }

  /** Collects what it gets. */
  private static final class Collector implements java.util.function.Consumer<TraceEvent> {
    final List<TraceEvent> events = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void accept(TraceEvent event) {
      events.add(event);
    }

    List<Long> sequences() {
      synchronized (events) {
        return events.stream().map(TraceEvent::sequence).toList();
      }
    }
  }

  @Test
  void anEventEmittedDuringReplayIsLost() throws Exception {
    for (int round = 0; round < 20; round++) {
      TraceManager trace = TraceManager.open();
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      log(node, 500);
      Thread producer =
          new Thread(
              () -> {
                log(node, 3_000);
                trace.markComplete();
              });
      producer.start();
      List<Collector> collectors = new ArrayList<>();
      List<TraceSubscription> subscriptions = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Collector collector = new Collector();
        collectors.add(collector);
        subscriptions.add(trace.subscribe(collector));
        for (int wait = ThreadLocalRandom.current().nextInt(2_000); wait > 0; wait--) {
          Thread.onSpinWait();
        }
      }
      long last = trace.stream().mapToLong(TraceEvent::sequence).max().getAsLong();
      assertThat(last).isEqualTo(3_504);
      for (int i = 0; i < subscriptions.size(); i++) {
        assertThat(subscriptions.get(i).awaitEnd(LONG)).isTrue();
        assertThat(collectors.get(i).sequences()).isEqualTo(upTo(last));
      }
      producer.join();
    }
  }

  @Test
  void resumePointOlderThanWhatIsKept() {
    try (TraceManager trace = TraceManager.open(TraceOptions.builder().retainEvents(100).build())) {
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      log(node, 2_000);
      long oldest = trace.stats().oldestEvent();
      assertThat(oldest).isBetween(1_300L, 1_903L);

      List<TraceEvent> events = trace.eventList(5);
      assertThat(events.get(0)).isInstanceOf(TraceEvent.Gap.class);
      TraceEvent.Gap gap = (TraceEvent.Gap) events.get(0);
      assertThat(gap.firstMissing()).isEqualTo(6);
      assertThat(gap.sequence()).isEqualTo(oldest - 1);
      assertThat(events.subList(1, events.size()))
          .extracting(TraceEvent::sequence)
          .containsExactlyElementsOf(LongStream.rangeClosed(oldest, 2_002).boxed().toList());

      assertThat(trace.eventList(oldest - 1)).noneMatch(TraceEvent.Gap.class::isInstance);
      assertThat(trace.eventList(oldest - 2).get(0))
          .isInstanceOfSatisfying(
              TraceEvent.Gap.class, g -> assertThat(g.firstMissing()).isEqualTo(oldest - 1));
      assertThat(trace.eventList(2_002)).isEmpty();
    }
  }

  @Test
  void whatRetentionHasLetGoOfComesFromTheStore() {
    TestStore store = new TestStore();
    TraceManager trace =
        TraceManager.open(TraceOptions.builder().retainEvents(50).store(store).build());
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    log(node, 3_000);
    trace.close();
    assertThat(trace.eventList(0)).extracting(TraceEvent::sequence).isEqualTo(upTo(3_002));
    assertThat(trace.stats().oldestEvent()).isGreaterThan(1_000);
  }

  @Test
  void retentionByBytes() {
    try (TraceManager trace =
        TraceManager.open(TraceOptions.builder().retainBytes(1_000_000).build())) {
      TraceNode node = trace.add(null, NodeOptions.label("n"));
      String big = "x".repeat(5_000);
      for (int i = 0; i < 2_000; i++) {
        node.info("{}", big + i);
      }
      long kept = trace.stats().events() - trace.stats().oldestEvent();
      assertThat(kept).isBetween(90L, 2 * 256L);
    }
  }

  @Test
  void aSubscriberThatFallsOffGetsOneGap() {
    TraceManager trace = TraceManager.open(TraceOptions.builder().retainEvents(100).build());
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Collector collector = new Collector();
    TraceSubscription subscription =
        trace.subscribe(
            event -> {
              collector.accept(event);
              if (event.sequence() == 2) {
                first.countDown();
                Await.latch(goOn);
              }
            });
    Await.latch(first);
    log(node, 5_000);
    goOn.countDown();
    trace.markComplete();
    assertThat(subscription.awaitEnd(LONG)).isTrue();
    List<TraceEvent> gaps =
        collector.events.stream().filter(TraceEvent.Gap.class::isInstance).toList();
    assertThat(gaps).hasSize(1);
    assertThat(((TraceEvent.Gap) gaps.get(0)).firstMissing()).isEqualTo(3);
    assertThat(trace.stats().gaps()).isEqualTo(1);
    long next = 0;
    for (TraceEvent event : collector.events) {
      long from = event instanceof TraceEvent.Gap gap ? gap.firstMissing() : event.sequence();
      assertThat(from).isEqualTo(next + 1);
      next = event.sequence();
    }
    assertThat(next).isEqualTo(5_004); // init, node, logs, node_complete, complete
  }

  @Test
  void resumeRepeatsWhatWasAlreadyReceived() {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add(null, NodeOptions.label("first"));
    log(node, 10);
    TraceNode second = trace.add(null, NodeOptions.label("second"));
    Thread producer =
        new Thread(
            () -> {
              log(second, 20_000);
              trace.markComplete();
            });
    Collector before = new Collector();
    TraceSubscription[] own = new TraceSubscription[1];
    AtomicReference<TraceSubscription> subscription = new AtomicReference<>();
    own[0] =
        trace.subscribe(
            event -> {
              before.accept(event);
              if (event.sequence() == 40) {
                Await.until("subscribed", () -> subscription.get() != null);
                subscription.get().cancel();
              }
            });
    subscription.set(own[0]);
    producer.start();
    assertThat(own[0].awaitEnd(LONG)).isTrue();
    Collector after = new Collector();
    TraceSubscription resumed = trace.subscribe(40, after);
    assertThat(resumed.awaitEnd(LONG)).isTrue();
    List<Long> both = new ArrayList<>(before.sequences());
    both.addAll(after.sequences());
    assertThat(both).isEqualTo(upTo(trace.stats().events()));
    List<TraceEvent> rebuilt = new ArrayList<>(before.events);
    rebuilt.addAll(after.events);
    assertThat(rebuilt).as("both parts are an uninterrupted read").isEqualTo(trace.eventList(0));
    assertThat(after.events)
        .as("nothing of an earlier node")
        .noneMatch(e -> e instanceof TraceEvent.LogAdded log && log.nodeId().equals(node.id()));
    Await.join(List.of(producer));
  }

  @Test
  void subscribingAtTheMomentOfCompletionWaitsForEver() {
    for (int round = 0; round < 1_000; round++) {
      TraceManager trace = TraceManager.open();
      Thread completer = new Thread(trace::markComplete);
      completer.start();
      for (int i = 0; i < 3; i++) {
        Collector collector = new Collector();
        assertThat(trace.subscribe(collector).awaitEnd(LONG)).isTrue();
        assertThat(collector.events)
            .extracting(TraceEvent::type)
            .containsExactly("init", "complete");
      }
      assertThat(trace.stream().toList()).hasSize(2);
      Await.join(List.of(completer));
      assertThat(trace.stats().subscribers()).isZero();
    }
  }

  @Test
  void aSlowSubscriberHoldsEverybodyUp() {
    TraceManager trace = TraceManager.open();
    Semaphore slowMayGoOn = new Semaphore(0);
    Collector slow = new Collector();
    TraceSubscription lagging =
        trace.subscribe(
            event -> {
              slowMayGoOn.acquireUninterruptibly();
              slow.accept(event);
            });
    Collector fast1 = new Collector();
    Collector fast2 = new Collector();
    TraceSubscription quick1 = trace.subscribe(fast1);
    TraceSubscription quick2 = trace.subscribe(fast2);
    for (int i = 0; i < 10; i++) {
      log(trace.add(null, NodeOptions.label("n" + i)), 20);
    }
    trace.markComplete();
    trace.close();
    long all = 2 + 10 * 22; // init, complete; for each node its start, its logs, its end
    assertThat(quick1.awaitEnd(LONG)).isTrue();
    assertThat(quick2.awaitEnd(LONG)).isTrue();
    assertThat(slow.events).as("the slow one has not got beyond its first").isEmpty();
    assertThat(fast1.sequences()).isEqualTo(upTo(all));
    assertThat(fast2.sequences()).isEqualTo(upTo(all));
    slowMayGoOn.release(1_000);
    assertThat(lagging.awaitEnd(LONG)).as("it reads on after the close").isTrue();
    assertThat(slow.sequences()).isEqualTo(upTo(all));
  }

  @Test
  void oneThrowingSubscriberSilencesTheRest() {
    TraceManager trace = TraceManager.open();
    AtomicInteger calls = new AtomicInteger();
    TraceSubscription throwing =
        trace.subscribe(
            event -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("on purpose");
              }
              throw new AssertionError("on purpose");
            });
    Collector first = new Collector();
    Collector second = new Collector();
    TraceSubscription one = trace.subscribe(first);
    TraceSubscription two = trace.subscribe(second);
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    log(node, 10);
    trace.markComplete();
    assertThat(one.awaitEnd(LONG)).isTrue();
    assertThat(two.awaitEnd(LONG)).isTrue();
    assertThat(throwing.awaitEnd(LONG)).isTrue();
    assertThat(first.sequences()).isEqualTo(upTo(14));
    assertThat(second.sequences()).isEqualTo(upTo(14));
    assertThat(calls).hasValue(14);
    assertThat(trace.stats().subscriberFailures()).isEqualTo(14);
  }

  @Test
  void overflowThatNobodyCanSee() {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    List<Long> got = Collections.synchronizedList(new ArrayList<>());
    AtomicReference<Flow.Subscription> subscription = new AtomicReference<>();
    CountDownLatch complete = new CountDownLatch(1);
    trace
        .events()
        .subscribe(
            new Flow.Subscriber<>() {
              @Override
              public void onSubscribe(Flow.Subscription s) {
                subscription.set(s);
                s.request(3);
              }

              @Override
              public void onNext(TraceEvent event) {
                got.add(event.sequence());
              }

              @Override
              public void onError(Throwable thrown) {
                throw new AssertionError(thrown);
              }

              @Override
              public void onComplete() {
                complete.countDown();
              }
            });
    log(node, 5_000);
    trace.markComplete();
    Await.until("three are delivered", () -> got.size() == 3);
    assertThat(complete.getCount()).isEqualTo(1);
    subscription.get().request(Long.MAX_VALUE); // nothing was dropped: it reads on
    Await.latch(complete);
    assertThat(got).isEqualTo(upTo(trace.stats().events()));
  }

  @Test
  void aListenerThatLeftIsStillRegistered() {
    TraceManager trace = TraceManager.open();
    List<TraceSubscription> subscriptions = new ArrayList<>();
    List<WeakReference<Collector>> consumers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Collector collector = new Collector();
      consumers.add(new WeakReference<>(collector));
      subscriptions.add(trace.subscribe(collector));
    }
    assertThat(trace.stats().subscribers()).isEqualTo(100);
    List<Thread> leaving = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int own = t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = own; i < 100; i += 4) {
                  subscriptions.get(i).cancel();
                }
              });
      leaving.add(thread);
      thread.start();
    }
    Await.join(leaving);
    assertThat(trace.stats().subscribers()).as("at once").isZero();
    subscriptions.clear();
    Await.until(
        "without another event, nothing of them is left",
        () -> {
          System.gc();
          return consumers.stream().allMatch(consumer -> consumer.get() == null)
              && SmallHeap.libraryThreads().isEmpty();
        });
    assertThat(trace.stats().events()).isEqualTo(1);
  }

  @Test
  void parallelEmittersGetTheSameSequenceNumber() {
    TestStore store = new TestStore();
    TraceRegistry registry = TraceRegistry.over(store);
    TraceManager trace = registry.open();
    Collector collector = new Collector();
    TraceSubscription subscription = trace.subscribe(collector);
    List<TraceNode> nodes =
        trace.parallel(NodeSpec.of(1, "a"), NodeSpec.of(2, "b"), NodeSpec.of(3, "c"));
    List<Thread> threads = new ArrayList<>();
    for (TraceNode node : nodes) {
      Thread thread = new Thread(() -> log(node, 500));
      threads.add(thread);
      thread.start();
    }
    Await.join(threads);
    trace.close();
    assertThat(subscription.awaitEnd(LONG)).isTrue();
    List<TraceEvent> listed = trace.eventList(0);
    assertThat(listed).extracting(TraceEvent::sequence).isEqualTo(upTo(1_504));
    assertThat(collector.events).isEqualTo(listed);
    assertThat(store.traces.get(trace.id())).isEqualTo(listed);
    for (TraceNode node : nodes) {
      assertThat(trace.logs(node.id()))
          .extracting(log -> log.arguments().get(0))
          .as("each thread's own order")
          .isEqualTo(java.util.stream.IntStream.range(0, 500).boxed().toList());
    }
    TraceManager reloaded = registry.load(trace.id(), TraceOptions.defaults());
    reloaded.handle(nodes.get(0).id()).info("after");
    assertThat(reloaded.eventList(1_504)).extracting(TraceEvent::sequence).containsExactly(1_505L);
    reloaded.close();
    assertThat(store.traces.get(trace.id()))
        .extracting(TraceEvent::sequence)
        .isEqualTo(upTo(1_505));
  }

  @Test
  void aStreamEndsWhenItIsClosedOrTheTraceEnds() throws Exception {
    TraceManager trace = TraceManager.open();
    Stream<TraceEvent> stream = trace.stream();
    List<TraceEvent> got = Collections.synchronizedList(new ArrayList<>());
    Thread reader = new Thread(() -> stream.forEach(got::add));
    reader.start();
    Await.until("the first event is read", () -> got.size() == 1);
    Await.parked(reader);
    stream.close();
    Await.join(List.of(reader));
    assertThat(trace.streamAfter(0).limit(1)).hasSize(1);
    trace.close();
    assertThat(trace.stream()).as("released without an outcome").hasSize(1);
  }

  @Test
  void refusesNegativeSequences() {
    TraceManager trace = TraceManager.open();
    assertThatIllegalArgumentException().isThrownBy(() -> trace.eventList(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> trace.eventsAfter(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> trace.subscribe(-1, event -> {}));
  }

  @Test
  void aClockThatThrowsTakesNoEventFromAReader() {
    AtomicBoolean bad = new AtomicBoolean();
    Clock clock =
        new SuppliedClock(
            () -> {
              if (bad.get()) {
                throw new LinkageError("on purpose");
              }
              return Instant.EPOCH;
            });
    TraceManager trace =
        TraceManager.open(TraceOptions.builder().retainEvents(10).clock(clock).build());
    log(trace.add(null, NodeOptions.label("n")), 1_000);
    trace.markComplete();
    bad.set(true);
    Collector collector = new Collector();
    assertThat(trace.subscribe(collector).awaitEnd(LONG)).isTrue();
    assertThat(collector.events.get(0)).isInstanceOf(TraceEvent.Gap.class);
    assertThat(collector.events.get(collector.events.size() - 1))
        .isInstanceOf(TraceEvent.Complete.class);
  }

  @Test
  void callbacksThatBlockInASynchronizedBlockHoldUpNoOther() {
    TraceManager trace = TraceManager.open();
    CountDownLatch mayGoOn = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(50);
    List<TraceSubscription> slow = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Object own = new Object();
      slow.add(
          trace.subscribe(
              event -> {
                synchronized (own) {
                  blocked.countDown();
                  Await.latch(mayGoOn);
                }
              }));
    }
    Await.latch(blocked);
    Collector collector = new Collector();
    TraceSubscription fast = trace.subscribe(collector);
    log(trace.add(null, NodeOptions.label("n")), 10);
    trace.markComplete();
    assertThat(fast.awaitEnd(LONG)).isTrue();
    assertThat(collector.sequences()).isEqualTo(upTo(14));
    mayGoOn.countDown();
    slow.forEach(one -> assertThat(one.awaitEnd(LONG)).isTrue());
  }
}
