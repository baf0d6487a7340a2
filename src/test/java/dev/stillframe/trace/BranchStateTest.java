package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateConflictException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The state that branches share, of which each has a draft. */
@Timeout(120)
class BranchStateTest {
  private final TraceManager trace = TraceManager.open();

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
