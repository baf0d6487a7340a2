package dev.stillframe.trace;

import static dev.stillframe.trace.Storms.logUntilClosed;
import static dev.stillframe.trace.Storms.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storms of the original report: whoever writes while a trace ends knows what became of it. */
@Timeout(180)
class ClosingStormTest {
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
    TraceSpace space = trace.createSpace(SpaceOptions.name("s"));
    space.set("there", 1);
    assertThat(trace.markComplete()).isTrue();
    trace.close();
    TraceSnapshot before = trace.snapshot();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger refused = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      start(
          threads,
          () -> {
            for (Runnable late : lateCalls(trace, node, space)) {
              try {
                late.run();
              } catch (TraceClosedException closed) {
                refused.incrementAndGet();
              }
            }
          });
    }
    Await.join(threads);
    assertThat(refused.get()).isEqualTo(4 * lateCalls(trace, node, space).size());
    assertThat(trace.snapshot()).isEqualTo(before);
    assertThat(node.complete()).isFalse();
    assertThat(trace.cancel("late")).isFalse();
    assertThat(trace.markComplete()).isFalse();
    assertThat(trace.fail(new IllegalStateException())).isFalse();
    assertThat(trace.snapshot()).isEqualTo(before);
  }

  private static List<Runnable> lateCalls(TraceManager trace, TraceNode node, TraceSpace space) {
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
        node::start,
        () -> node.run("x", n -> 1),
        () -> trace.createSpace(SpaceOptions.name("late")),
        () -> space.set("k", 1),
        () -> space.setIfAbsent("k", 1),
        () -> space.update("k", old -> 1),
        () -> space.remove("there"),
        () -> space.replace("there", 1, 2),
        () -> space.apply(StateDelta.builder().set("k", 1).build()),
        space::clear,
        space::delete,
        () -> {
          StateDraft draft = space.draft();
          draft.set("k", 1);
          draft.commit();
        },
        () -> {
          try {
            trace.all(List.of(Branch.of("late", context -> 1)));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void everyCallAfterTheFlag() {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    TraceSpace space = trace.createSpace(SpaceOptions.name("s"));
    space.set("there", 1);
    trace.close();
    for (Runnable late : lateCalls(trace, node, space)) {
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
  void theSecondCloseNeverReturns() {
    for (int round = 0; round < 100; round++) {
      TestStore store = new TestStore();
      TraceManager trace = TraceManager.open(TraceOptions.builder().store(store).build());
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
      assertThat(store.traces.get(trace.id())).isEqualTo(trace.eventList(0));
    }
  }
}
