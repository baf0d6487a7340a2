package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.state.SessionState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each test tears a state by hand, as an engine would that is not atomic. */
class SnapshotCheckTest {
  private static final Message MESSAGE = new Message(Role.USER, "Hello", List.of(), null);

  private final SessionState state = SessionState.create();
  private final Step first = Step.NONE.after(MESSAGE, 0, 0);
  private final Step second =
      first.after(new Message(Role.ASSISTANT, "Good morning", List.of(), null), 1, 0);

  @BeforeEach
  void makeOneWholeStep() {
    state.apply(first.delta());
  }

  @Test
  void wholeStepIsNoProblem() {
    assertThat(SnapshotCheck.problemInSession(SessionState.create().all())).isNull();
    assertThat(SnapshotCheck.problemInSession(state.all())).isNull();
    state.apply(second.delta());
    assertThat(SnapshotCheck.problemInSession(state.all())).isNull();
  }

  @Test
  void oneKeyWithoutTheOthersOfItsStepIsTorn() {
    second
        .delta()
        .asMap()
        .forEach(
            (key, value) -> {
              Object whole = state.get(key);
              if (value != null && !value.equals(whole)) {
                state.set(key, value);
                assertThat(SnapshotCheck.problemInSession(state.all())).as(key).isNotNull();
                state.set(key, whole);
              }
            });
    assertThat(SnapshotCheck.problemInSession(state.all())).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"step", "role", "text", "toolCalls", "openCalls", "checksum", "seal"})
  void missingKeyIsTorn(String key) {
    assertThat(state.remove(key)).isNotNull();

    assertThat(SnapshotCheck.problemInSession(state.all())).contains("step");
  }

  @Test
  void openCallWithoutItsStepIsTorn() {
    state.set(Step.OPEN_CALL_PREFIX + "7", "look");

    assertThat(SnapshotCheck.problemInSession(state.all()))
        .isEqualTo("step 1 must show 0 calls, not 1");
  }

  @Test
  void stepBackIsAProblem() {
    var older = state.all();
    state.apply(second.delta());
    var newer = state.all();

    assertThat(SnapshotCheck.problemBetween(older, newer)).isNull();
    assertThat(SnapshotCheck.problemBetween(newer, older))
        .isEqualTo("step 1 must not follow step 2");
  }

  @ParameterizedTest
  @CsvSource({"messages, messages", "conversations.ended, conversations"})
  void laterWriteWithoutTheEarlierOneIsAProblem(String later, String named) {
    SessionState totals = SessionState.create();
    Fleet fleet = new Fleet(totals);
    fleet.conversationStarted();
    fleet.messagePlayed(MESSAGE);
    assertThat(SnapshotCheck.problemInFleet(fleet.snapshot())).isNull();

    totals.set(later, 2L);

    assertThat(SnapshotCheck.problemInFleet(fleet.snapshot())).startsWith("the " + named);
  }

  @Test
  void tooManyWritesUnderWayAreAProblem() {
    SessionState totals = SessionState.create();
    totals.set(Role.TOOL.counterKey(), (long) Replay.THREADS + 1);

    assertThat(SnapshotCheck.problemInFleet(totals.all())).startsWith("the messages");
  }

  @Test
  void fleetAheadOfItsSessionsIsAProblem() {
    Fleet fleet = new Fleet(SessionState.create());
    fleet.messagePlayed(MESSAGE);

    assertThat(SnapshotCheck.problemAhead(fleet.snapshot(), 1)).isNull();
    assertThat(SnapshotCheck.problemAhead(fleet.snapshot(), 0)).contains("counts 1 of 0");
  }
}
