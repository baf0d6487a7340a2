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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A user's code in callbacks, stores, executors and functions, as a trace ends and when it throws.
 */
@Timeout(180)
class UserCodeAndTheCloseTest {
  private static final Duration LONG = Duration.ofSeconds(60);

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
