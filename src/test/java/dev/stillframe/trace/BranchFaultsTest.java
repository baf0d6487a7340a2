package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.state.SessionState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Branches in branches, and branches of which something around them goes wrong. */
@Timeout(60)
class BranchFaultsTest {

  private static Map<String, NodeSnapshot> byLabel(TraceManager trace) {
    return trace.nodes().stream().collect(Collectors.toMap(NodeSnapshot::label, node -> node));
  }

  private static Branch<String> waits(String label, CountDownLatch interrupted) {
    return Branch.of(
        label,
        context -> {
          try {
            new CountDownLatch(1).await();
            return "never";
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        });
  }

  @Test
  void branchesOfABranchFollowItsNodeAndHarmNoOther() throws Exception {
    try (TraceManager trace = TraceManager.open()) {
      trace.add(null, NodeOptions.label("start"));
      CountDownLatch interrupted = new CountDownLatch(2);
      List<BranchResult<String>> results =
          trace.all(
              List.of(
                  Branch.of("A", context -> firstOfTwo(context.node(), "a", interrupted)),
                  Branch.of("B", context -> firstOfTwo(context.node(), "b", interrupted))));

      assertThat(results).extracting(BranchResult::value).containsExactly("a1", "b1");
      Map<String, NodeSnapshot> nodes = byLabel(trace);
      for (String outer : List.of("A", "B")) {
        String inner = outer.toLowerCase(java.util.Locale.ROOT);
        assertThat(nodes.get(outer).status()).isEqualTo(NodeStatus.COMPLETED);
        assertThat(nodes.get(outer).output()).isEqualTo(inner + "1");
        assertThat(nodes.get(inner + "1").status()).isEqualTo(NodeStatus.COMPLETED);
        assertThat(nodes.get(inner + "1").output()).isEqualTo(inner + "1");
        assertThat(nodes.get(inner + "2").status()).isEqualTo(NodeStatus.CANCELLED);
        assertThat(nodes.get(inner + "1").parentIds()).containsExactly(nodes.get(outer).id());
      }
    }
  }

  private static String firstOfTwo(TraceNode node, String name, CountDownLatch interrupted)
      throws InterruptedException {
    return node.any(
            List.of(Branch.of(name + "1", inner -> name + "1"), waits(name + "2", interrupted)),
            BranchOptions.defaults())
        .get();
  }

  @Test
  void branchesThatFollowTheCurrentNodesDoNotEndThoseOfOtherBranches() throws Exception {
    try (TraceManager trace = TraceManager.open()) {
      CountDownLatch interrupted = new CountDownLatch(1);
      CountDownLatch raceIsOver = new CountDownLatch(1);
      List<BranchResult<String>> results =
          trace.all(
              List.of(
                  Branch.of(
                      "A",
                      context -> {
                        String won =
                            trace
                                .any(List.of(Branch.of("a1", c -> "a1"), waits("a2", interrupted)))
                                .get();
                        raceIsOver.countDown();
                        return won;
                      }),
                  Branch.of(
                      "B",
                      context -> {
                        Await.latch(raceIsOver);
                        return "b";
                      })));

      assertThat(results).extracting(BranchResult::value).containsExactly("a1", "b");
      Map<String, NodeSnapshot> nodes = byLabel(trace);
      assertThat(nodes.get("A").output()).isEqualTo("a1");
      assertThat(nodes.get("B").output()).isEqualTo("b");
      assertThat(nodes.get("a2").status()).isEqualTo(NodeStatus.CANCELLED);
    }
  }

  @Test
  void storeThatStallsHoldsUpNeitherTheDeadlineNorTheEnds() throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    TraceStore store = new StallingStore(stalled);
    for (boolean refuse : List.of(true, false)) {
      TraceOptions.Builder options =
          TraceOptions.builder().store(store).queueCapacity(8).closeTimeout(Duration.ofMillis(1));
      TraceManager trace = TraceManager.open((refuse ? options.refuseWhenFull() : options).build());
      SessionState state = SessionState.create();
      CountDownLatch interrupted = new CountDownLatch(1);
      List<BranchResult<String>> results =
          trace.all(
              List.of(
                  Branch.of(
                      "done",
                      context -> {
                        context.state().set("k", 1);
                        return "done";
                      }),
                  waits("waits", interrupted),
                  Branch.of(
                      "fills",
                      context -> {
                        for (; ; ) {
                          context.node().info("more");
                          if (Thread.currentThread().isInterrupted()) {
                            return "never";
                          }
                        }
                      })),
              BranchOptions.defaults().state(state).timeout(Duration.ofMillis(300)));

      Await.latch(interrupted);
      assertThat(results.get(0).value()).isEqualTo("done");
      assertThat(results.get(1).failure()).isInstanceOf(CancellationException.class);
      assertThat(results.get(2).isSuccess()).isFalse();
      assertThat(state.get("k")).isEqualTo(1);
      assertThat(byLabel(trace).get("done").status()).isEqualTo(NodeStatus.COMPLETED);
      assertThat(byLabel(trace).get("waits").status()).isEqualTo(NodeStatus.CANCELLED);
      trace.close();
    }
    stalled.countDown();
  }

  private static final class StallingStore implements TraceStore {
    private final CountDownLatch stalled;

    StallingStore(CountDownLatch stalled) {
      this.stalled = stalled;
    }

    @Override
    public void append(String traceId, List<TraceEvent> events) throws Exception {
      stalled.await();
    }

    @Override
    public List<TraceEvent> read(String traceId, long after, int most) {
      return List.of();
    }

    @Override
    public List<String> list() {
      return List.of();
    }

    @Override
    public boolean remove(String traceId) {
      return false;
    }
  }

  @Test
  void failureThatCannotSayWhatItIsIsAValueLikeAnyOther() throws Exception {
    @SuppressWarnings("serial")
    class Nasty extends RuntimeException {
      @Override
      public String getMessage() {
        throw new IllegalStateException("no message");
      }
    }
    Nasty nasty = new Nasty();
    try (TraceManager trace = TraceManager.open()) {
      List<BranchResult<String>> results =
          trace.all(
              List.of(
                  Branch.of(
                      "nasty",
                      context -> {
                        throw nasty;
                      }),
                  Branch.of("good", context -> "good")));

      assertThat(results.get(0).failure() == nasty).isTrue();
      assertThat(results.get(1).value()).isEqualTo("good");
      assertThat(byLabel(trace).get("nasty").status()).isEqualTo(NodeStatus.FAILED);
    }
  }

  @Test
  void clockOrRedactorThatThrowsDoesNotPartADraftFromItsResult() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    Clock clock =
        new SuppliedClock(
            () -> {
              if (broken.get()) {
                throw new IllegalStateException("the clock is broken");
              }
              return Instant.EPOCH;
            });
    Redactor marks = (name, path, value) -> value instanceof String text ? "#" + text : value;
    try (TraceManager trace =
        TraceManager.open(TraceOptions.builder().clock(clock).redactor(marks).build())) {
      SessionState state = SessionState.create();
      List<BranchResult<String>> results =
          trace.all(
              List.of(
                  Branch.of(
                      "drafts",
                      context -> {
                        context.state().set("k", 1);
                        broken.set(true);
                        return "out";
                      })),
              BranchOptions.defaults().state(state));
      broken.set(false);

      assertThat(results.get(0).value()).isEqualTo("out");
      assertThat(state.get("k")).isEqualTo(1);
      assertThat(trace.nodes().get(0).output()).isEqualTo("#out"); // masked once
      assertThat(trace.nodes().get(0).status()).isEqualTo(NodeStatus.COMPLETED);
    }
  }

  @Test
  void nodeThatWasCancelledFromOutsideMakesItsBranchAFailureWithAndWithoutAState()
      throws Exception {
    for (BranchOptions options :
        List.of(BranchOptions.defaults(), BranchOptions.defaults().state(SessionState.create()))) {
      try (TraceManager trace = TraceManager.open()) {
        BranchResult<String> result =
            trace
                .all(
                    List.of(
                        Branch.of(
                            "cancelled",
                            context -> {
                              context.node().cancel("from outside");
                              return "late";
                            })),
                    options)
                .get(0);

        assertThat(result.failure()).isInstanceOf(CancellationException.class);
        assertThat(trace.nodes().get(0).status()).isEqualTo(NodeStatus.CANCELLED);
      }
    }
  }

  @Test
  void fullQueueTakesNeitherTheResultNorTheExceptionOfARun() {
    CountDownLatch stalled = new CountDownLatch(1);
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder()
                .store(new StallingStore(stalled))
                .queueCapacity(4)
                .refuseWhenFull()
                .closeTimeout(Duration.ofMillis(1))
                .build());
    assertThat(trace.<String, RuntimeException>run("result", node -> filling(node, "result")))
        .isEqualTo("result");
    stalled.countDown();
    Await.until("there is room", () -> trace.stats().unwritten() == 0);
    IllegalStateException own = new IllegalStateException("own");
    assertThatThrownBy(
            () ->
                trace.run(
                    "throws",
                    node -> {
                      filling(node, "");
                      throw own;
                    }))
        .isSameAs(own);
    trace.close();
  }

  private static String filling(TraceNode node, String result) {
    try {
      for (int i = 0; i < 10_000; i++) {
        node.info("more");
      }
    } catch (TraceFullException full) {
      // as wanted
    }
    return result;
  }
}
