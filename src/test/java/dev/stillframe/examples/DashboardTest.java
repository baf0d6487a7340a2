package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionService;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.trace.TraceOptions;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class DashboardTest {
  private static final Message MESSAGE = new Message(Role.USER, "Hello", List.of(), null);

  private final Dashboard dashboard =
      new Dashboard(
          new Fleet(SessionState.create()),
          new Progress(ExampleRun.print(new ByteArrayOutputStream()), false, 1));

  private final Session session = SessionService.inMemory().create("app", "user");
  private final ReplayedSession replayed =
      new ReplayedSession("a", session, new ConversationTrace(TraceOptions.builder(), null));

  private void takeAStep() {
    replayed.append("user", Step.NONE.after(MESSAGE, 0, 0).delta(), 0);
  }

  @Test
  void wholeStepsAreCountedAsSuch() {
    dashboard.watch(replayed);
    dashboard.walk();
    takeAStep();
    dashboard.walk();
    dashboard.walk();

    assertThat(dashboard.findings()).isEqualTo(new Dashboard.Findings(6, 2, 0, null));
  }

  @Test
  void tornSnapshotIsFound() {
    dashboard.watch(replayed);
    session.state().set(Step.NUMBER, 1);
    session.append(SessionEvent.builder("user").build());
    dashboard.walk();

    assertThat(dashboard.findings().torn()).isEqualTo(1);
    assertThat(dashboard.findings().firstProblem()).startsWith("a: the key 'role' must be there");
  }

  @Test
  void stepWithoutItsEventIsFound() {
    dashboard.watch(replayed);
    session.state().apply(Step.NONE.after(MESSAGE, 0, 0).delta());
    dashboard.walk();

    assertThat(dashboard.findings().firstProblem())
        .isEqualTo("a: step 1 must have as many events, but has 0");
  }

  @Test
  void sessionThatGoesBackIsFound() {
    dashboard.watch(replayed);
    takeAStep();
    Step first = Step.NONE.after(MESSAGE, 0, 0);
    replayed.append("user", first.after(MESSAGE, 0, 0).delta(), 1);
    dashboard.walk();
    session.state().apply(first.delta());
    dashboard.walk(); // nothing was appended, so nothing is looked at
    assertThat(dashboard.findings().torn()).isZero();

    session.append(SessionEvent.builder("user").build());
    dashboard.walk();

    assertThat(dashboard.findings().torn()).isPositive();
  }

  @Test
  void endedSessionIsLeftAlone() {
    dashboard.watch(replayed);
    session.append(
        SessionEvent.builder("replay")
            .delta(StateDelta.builder().set(ReplayedSession.ENDED, true).build())
            .build());
    dashboard.walk();
    long before = dashboard.findings().snapshots();
    dashboard.walk();

    assertThat(dashboard.findings().snapshots()).isEqualTo(before + 1); // the fleet's
  }

  @Test
  void oneMoreWalkFollowsTheStop() {
    dashboard.stop();
    dashboard.run();

    assertThat(dashboard.findings().snapshots()).isEqualTo(1);
  }
}
