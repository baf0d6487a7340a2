package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateConflictException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
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
            // Adding a child has completed its parent; the child is cancelled.
            org.assertj.core.groups.Tuple.tuple("has children", NodeStatus.COMPLETED),
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
  void resultsOfParallelBranchesGoMissing() throws Exception {
    for (int round = 0; round < 200; round++) {
      TraceManager own = TraceManager.open();
      TraceSpace shared = own.createSpace(SpaceOptions.name("shared"));
      SessionState state = round % 2 == 0 ? shared : SessionState.create();
      CyclicBarrier together = new CyclicBarrier(8);
      List<Branch<Integer>> branches = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int number = i;
        branches.add(
            Branch.of(
                "b" + i,
                context -> {
                  together.await();
                  context.state().set("key" + number, number);
                  context.state().update("list", old -> appended(old, number));
                  return number;
                }));
      }
      List<BranchResult<Integer>> results =
          own.all(
              branches,
              BranchOptions.defaults()
                  .state(
                      state,
                      (key, base, current, draft) -> {
                        List<?> mine = (List<?>) draft;
                        return appended(current, mine.get(mine.size() - 1));
                      }));
      assertThat(results).extracting(BranchResult::get).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
      assertThat(state.size()).isEqualTo(9);
      assertThat((List<?>) state.get("list"))
          .isEqualTo(((List<?>) state.get("list")).stream().distinct().toList())
          .hasSize(8);
    }
  }

  private static List<Object> appended(Object old, Object element) {
    List<Object> list = old == null ? new ArrayList<>() : new ArrayList<>((List<?>) old);
    list.add(element);
    return list;
  }

  @Test
  void aConflictIsAFailureAndLeavesNothing() throws Exception {
    SessionState state = SessionState.create();
    CyclicBarrier together = new CyclicBarrier(2);
    BranchBody<String> body =
        context -> {
          context.state().get("k");
          together.await();
          context.state().set("k", context.node().label());
          return context.node().label();
        };
    List<BranchResult<String>> results =
        trace.all(
            List.of(Branch.of("a", body), Branch.of("b", body)),
            BranchOptions.defaults().state(state));
    assertThat(results).filteredOn(BranchResult::isSuccess).hasSize(1);
    BranchResult<String> lost =
        results.stream().filter(r -> !r.isSuccess()).findFirst().orElseThrow();
    assertThat(lost.failure()).isInstanceOf(StateConflictException.class);
    assertThat(state.get("k")).isNotEqualTo(lost.label()).isNotNull();
    assertThat(trace.node(lost.nodeId()).status()).isEqualTo(NodeStatus.FAILED);
  }

  @Test
  void theDraftsOfLosersAreDropped() throws Exception {
    SessionState state = SessionState.create();
    CountDownLatch written = new CountDownLatch(1);
    trace.race(
        List.<Branch<String>>of(
            Branch.of(
                "winner",
                context -> {
                  Await.latch(written);
                  context.state().set("winner", 1);
                  return "w";
                }),
            Branch.of(
                "loser",
                context -> {
                  context.state().set("loser", 1);
                  written.countDown();
                  new CountDownLatch(1).await();
                  return "l";
                })),
        BranchOptions.defaults().state(state));
    assertThat(state.keys()).containsExactly("winner");
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

  /** Runs one branch that writes a key, and then does something. */
  private BranchResult<String> writesAndThen(SessionState state, BranchBody<String> then)
      throws InterruptedException {
    return trace
        .all(
            List.of(
                Branch.of(
                    "b",
                    context -> {
                      context.state().set("k", 1);
                      return then.run(context);
                    })),
            BranchOptions.defaults().state(state))
        .get(0);
  }

  @Test
  void aDraftIsDroppedIfTheTraceWasClosedBefore() throws Exception {
    SessionState state = SessionState.create();
    BranchResult<String> result =
        writesAndThen(
            state,
            context -> {
              trace.markComplete();
              return "done";
            });
    assertThat(result.failure()).isInstanceOf(CancellationException.class);
    assertThat(state.size()).isZero();
  }

  @Test
  void aDraftIsDroppedIfTheNodeWasCancelledBefore() throws Exception {
    SessionState state = SessionState.create();
    BranchResult<String> result =
        writesAndThen(
            state,
            context -> {
              context.node().cancel("user");
              return "done";
            });
    assertThat(result.failure())
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining("'n1'");
    assertThat(state.size()).isZero();
    assertThat(trace.node("n1").status()).isEqualTo(NodeStatus.CANCELLED);
  }

  @Test
  void aDraftIsCommittedIfTheNodeWasCompletedByItsChild() throws Exception {
    SessionState state = SessionState.create();
    BranchResult<String> result =
        writesAndThen(
            state,
            context -> {
              context.node().add(null, NodeOptions.label("child")).complete();
              return "done";
            });
    assertThat(result.get()).isEqualTo("done");
    assertThat(state.get("k")).isEqualTo(1);
  }

  @Test
  void aTraceThatIsCancelledBetweenTheCommitAndTheCompletion() throws Exception {
    closesAfterTheCommit(() -> trace.cancel("user"), NodeStatus.CANCELLED);
  }

  @Test
  void aTraceThatIsReleasedBetweenTheCommitAndTheCompletion() throws Exception {
    closesAfterTheCommit(trace::close, NodeStatus.RUNNING);
  }

  private void closesAfterTheCommit(Runnable close, NodeStatus then) throws InterruptedException {
    SessionState inner = SessionState.create();
    SessionState state =
        SessionState.gated(
            inner,
            write -> {
              boolean made = write.make();
              close.run();
              return made;
            });
    BranchResult<String> result = writesAndThen(state, context -> "done");
    assertThat(result.get()).as("the commit has decided").isEqualTo("done");
    assertThat(inner.get("k")).isEqualTo(1);
    assertThat(trace.node("n1").status()).isEqualTo(then);
  }

  @Test
  void aDraftIsInIfAndOnlyIfItsResultIsASuccess() throws Exception {
    int kept = 0;
    for (int round = 0; round < 300; round++) {
      TraceManager own = TraceManager.open();
      SessionState state =
          round % 2 == 0 ? own.createSpace(SpaceOptions.name("s")) : SessionState.create();
      List<Branch<Integer>> branches = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int number = i;
        branches.add(
            Branch.of(
                "b" + i,
                context -> {
                  context.state().set("key" + number, number);
                  return number;
                }));
      }
      int how = round % 3;
      Thread closer =
          new Thread(
              () -> {
                Await.until("branches have begun", () -> own.stats().events() >= 4);
                if (how == 0) {
                  own.cancel("user");
                } else if (how == 1) {
                  own.close();
                } else {
                  own.markComplete();
                }
              });
      closer.start();
      List<BranchResult<Integer>> results =
          own.all(branches, BranchOptions.defaults().state(state));
      Await.join(List.of(closer));
      for (int i = 0; i < 4; i++) {
        assertThat(state.contains("key" + i))
            .as("round %s, branch %s: %s", round, i, results.get(i))
            .isEqualTo(results.get(i).isSuccess());
        kept += results.get(i).isSuccess() ? 1 : 0;
      }
    }
    assertThat(kept).as("both ways were seen").isBetween(1, 1_199);
  }
}
