package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.state.SessionState;
import dev.stillframe.trace.TraceOptions;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class DashboardTest {
  private static final Message MESSAGE = new Message(Role.USER, "Hello", List.of(), null);

  private final Dashboard dashboard =
      new Dashboard(
          new Fleet(SessionState.create()),
          new Progress(ExampleRun.print(new ByteArrayOutputStream()), false, 1));

  private static Session session(SessionState state) {
    return new Session("a", state, new ConversationTrace(TraceOptions.defaults()));
  }

  @Test
  void wholeStepsAreCountedAsSuch() {
    SessionState state = SessionState.create();
    dashboard.watch(session(state));
    dashboard.walk();
    state.apply(Step.NONE.after(MESSAGE, 0, 0).delta());
    dashboard.walk();
    dashboard.walk();

    assertThat(dashboard.findings()).isEqualTo(new Dashboard.Findings(6, 2, 0, null));
  }

  @Test
  void tornSnapshotIsFound() {
    SessionState state = SessionState.create();
    dashboard.watch(session(state));
    state.apply(Step.NONE.after(MESSAGE, 0, 0).delta());
    dashboard.walk();
    state.set(Step.NUMBER, 2);
    dashboard.walk();

    assertThat(dashboard.findings().torn()).isEqualTo(1);
    assertThat(dashboard.findings().firstProblem()).startsWith("a: step 2 must have as many");
  }

  /** A foreign map gets one key after the other: the dashboard looks in between. */
  @Test
  void stateThatIsNotAtomicIsFoundOut() {
    SessionState state = SessionState.over(new MapThatIsLookedAt());
    dashboard.watch(session(state));

    state.apply(Step.NONE.after(MESSAGE, 0, 0).delta());

    assertThat(dashboard.findings().torn()).isPositive();
  }

  @Test
  void endedSessionIsLeftAlone() {
    SessionState state = SessionState.create();
    dashboard.watch(session(state));
    state.set(Session.ENDED, true);
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

  private final class MapThatIsLookedAt extends ConcurrentHashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public Object put(String key, Object value) {
      dashboard.walk();
      return super.put(key, value);
    }
  }
}
