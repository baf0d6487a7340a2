package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Branches, with the handed cases of "Orchestration and cancellation". */
@Timeout(120)
class BranchTest {
  private final TraceManager trace = TraceManager.open();

  /** Waits until it is interrupted. */
  private static final class Blocked {
    final CountDownLatch started = new CountDownLatch(1);
    final AtomicBoolean interrupted = new AtomicBoolean();

    <T> Branch<T> branch(String label) {
      return Branch.of(
          label,
          context -> {
            started.countDown();
            try {
              new CountDownLatch(1).await();
              throw new AssertionError("the latch is never released");
            } catch (InterruptedException e) {
              interrupted.set(true);
              throw e;
            }
          });
    }
  }

  @Test
  void oneFailingBranchThrowsAwayTheOthersResults() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    List<Branch<Integer>> branches =
        List.of(
            Branch.of("one", context -> 1),
            Branch.of("two", context -> 2),
            Branch.of(
                "bad",
                context -> {
                  failed.countDown();
                  throw new java.io.IOException("disk");
                }),
            Branch.of(
                "four",
                context -> {
                  Await.latch(failed);
                  return 4;
                }),
            Branch.of(
                "five",
                context -> {
                  Await.latch(failed);
                  return 5;
                }));
    List<BranchResult<Integer>> results = trace.all(branches);
    assertThat(results).extracting(BranchResult::value).containsExactly(1, 2, null, 4, 5);
    assertThat(results)
        .extracting(BranchResult::isSuccess)
        .containsExactly(true, true, false, true, true);
    assertThatExceptionOfType(BranchException.class)
        .isThrownBy(() -> results.get(2).get())
        .withMessageContaining("'bad'")
        .withCauseInstanceOf(java.io.IOException.class);
    assertThat(trace.nodes())
        .extracting(NodeSnapshot::status)
        .containsExactly(
            NodeStatus.COMPLETED,
            NodeStatus.COMPLETED,
            NodeStatus.FAILED,
            NodeStatus.COMPLETED,
            NodeStatus.COMPLETED);
    TraceNode join = trace.add(null, NodeOptions.label("join"));
    assertThat(trace.node(join.id()).parentIds()).hasSize(5);
  }

  @Test
  void losersOfARaceStillShownAsRunning() throws Exception {
    TraceNode parent = trace.add(null, NodeOptions.label("parent"));
    Blocked waiting = new Blocked();
    CountDownLatch hasChildren = new CountDownLatch(1);
    AtomicReference<TraceNode> loser = new AtomicReference<>();
    CountDownLatch lateIsOver = new CountDownLatch(1);
    BranchResult<String> result =
        trace.race(
            List.of(
                Branch.of(
                    "first",
                    context -> {
                      Await.latch(waiting.started);
                      Await.latch(hasChildren);
                      return "won";
                    }),
                waiting.branch("waits"),
                Branch.of(
                    "has children",
                    context -> {
                      context.node().add(1, NodeOptions.label("child").pending());
                      loser.set(context.node());
                      hasChildren.countDown();
                      try {
                        new CountDownLatch(1).await();
                        return "never";
                      } catch (InterruptedException e) {
                        assertThat(context.node().complete("late")).isFalse();
                        lateIsOver.countDown();
                        return "late";
                      }
                    })));
    assertThat(result.get()).isEqualTo("won");
    Await.latch(lateIsOver);
    Await.until("the loser is interrupted", waiting.interrupted::get);
    assertThat(trace.nodes())
        .extracting(NodeSnapshot::label, NodeSnapshot::status)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("parent", NodeStatus.COMPLETED),
            org.assertj.core.groups.Tuple.tuple("first", NodeStatus.COMPLETED),
            org.assertj.core.groups.Tuple.tuple("waits", NodeStatus.CANCELLED),
            // A child does not complete the node of a branch, which ends with the branch.
            org.assertj.core.groups.Tuple.tuple("has children", NodeStatus.CANCELLED),
            org.assertj.core.groups.Tuple.tuple("child", NodeStatus.CANCELLED));
    assertThat(trace.nodes().get(4).reason()).contains("'first'");
    assertThat(parent.status()).isEqualTo(NodeStatus.COMPLETED);
  }

  @Test
  void raceReturnsAFailureThatCameFirst() throws Exception {
    Blocked blocked = new Blocked();
    BranchResult<String> result =
        trace.race(
            List.of(
                blocked.branch("slow"),
                Branch.of(
                    "bad",
                    context -> {
                      Await.latch(blocked.started);
                      throw new StackOverflowError("on purpose");
                    })));
    assertThat(result.failure()).isInstanceOf(StackOverflowError.class);
    assertThat(result.label()).isEqualTo("bad");
    Await.until("the loser is interrupted", blocked.interrupted::get);
  }

  @Test
  void anyTakesTheFirstSuccessAndCancelsTheRest() throws Exception {
    Blocked blocked = new Blocked();
    CountDownLatch failed = new CountDownLatch(1);
    BranchResult<String> result =
        trace.any(
            List.of(
                blocked.branch("slow"),
                Branch.of(
                    "bad",
                    context -> {
                      failed.countDown();
                      throw new IllegalStateException("bad");
                    }),
                Branch.of(
                    "good",
                    context -> {
                      Await.latch(failed);
                      return "good";
                    })));
    assertThat(result.get()).isEqualTo("good");
    Await.until(
        "the loser has begun and was interrupted, or never began",
        () -> blocked.interrupted.get() || blocked.started.getCount() == 1);
    assertThat(trace.node("n1").status()).isEqualTo(NodeStatus.CANCELLED);
  }

  @Test
  void anyWithoutASuccessNamesAllFailures() {
    assertThatExceptionOfType(BranchException.class)
        .isThrownBy(
            () ->
                trace.any(
                    List.<Branch<String>>of(
                        Branch.of(
                            "a",
                            context -> {
                              throw new IllegalStateException("1");
                            }),
                        Branch.of(
                            "b",
                            context -> {
                              throw new IllegalStateException("2");
                            }))))
        .withMessageContaining("'a'")
        .withMessageContaining("'b'")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThatIllegalArgumentException().isThrownBy(() -> trace.all(List.of()));
  }

  @Test
  void theDeadlineCancelsWhatStillRuns() throws Exception {
    Blocked blocked = new Blocked();
    CountDownLatch done = new CountDownLatch(1);
    List<BranchResult<String>> results =
        trace.all(
            List.of(
                Branch.of(
                    "done",
                    context -> {
                      done.countDown();
                      return "in time";
                    }),
                blocked.branch("blocked")),
            BranchOptions.defaults().timeout(Duration.ofMillis(500)));
    assertThat(results.get(0).get()).isEqualTo("in time");
    assertThat(results.get(1).failure())
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining("PT0.5S");
    Await.until("it is interrupted", blocked.interrupted::get);
    assertThat(trace.node("n2").status()).isEqualTo(NodeStatus.CANCELLED);
  }

  @Test
  void cancellingTheTraceInterruptsItsBranches() throws Exception {
    Blocked blocked = new Blocked();
    Thread canceller =
        new Thread(
            () -> {
              Await.latch(blocked.started);
              trace.cancel("user");
            });
    canceller.start();
    List<BranchResult<String>> results = trace.all(List.of(blocked.branch("b")));
    assertThat(results.get(0).failure()).isInstanceOf(CancellationException.class);
    Await.until("it is interrupted", blocked.interrupted::get);
    assertThat(trace.node("n1").reason()).isEqualTo("user");
  }

  @Test
  void interruptingWhoWaitsCancelsTheBranches() throws Exception {
    Blocked blocked = new Blocked();
    AtomicInteger interrupted = new AtomicInteger();
    Thread waiting =
        new Thread(
            () -> {
              try {
                trace.all(List.of(blocked.branch("b")));
              } catch (InterruptedException e) {
                interrupted.incrementAndGet();
              }
            });
    waiting.start();
    Await.latch(blocked.started);
    waiting.interrupt();
    Await.join(List.of(waiting));
    assertThat(interrupted).hasValue(1);
    Await.until("it is interrupted", blocked.interrupted::get);
    assertThat(trace.node("n1").status()).isEqualTo(NodeStatus.CANCELLED);
  }

  @Test
  void aRejectingExecutorIsAFailureOfTheBranch() throws Exception {
    TraceManager rejecting =
        TraceManager.open(
            TraceOptions.builder()
                .executor(
                    task -> {
                      throw new RejectedExecutionException("on purpose");
                    })
                .build());
    List<BranchResult<String>> results = rejecting.all(List.of(Branch.of("b", context -> "x")));
    assertThat(results.get(0).failure()).isInstanceOf(RejectedExecutionException.class);
    assertThat(rejecting.node("n1").status()).isEqualTo(NodeStatus.FAILED);
  }
}
