package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionReplayTest {
  private final ExecutorService branches = Executors.newFixedThreadPool(4);
  private final Session session = new Session("a", SessionState.create());
  private final Fleet fleet = new Fleet(SessionState.create());

  @AfterEach
  void endBranches() {
    branches.shutdownNow();
  }

  @Test
  void severalToolCallsAtOnceMakeOneStep() throws Exception {
    ToolCall sun = new ToolCall("1", "sun", "{}");
    ToolCall rain = new ToolCall("2", "rain", "{\"mm\": 3}");
    ToolCall wind = new ToolCall("3", "wind", "{}");
    SessionReplay replay =
        replay(
            new Message(Role.ASSISTANT, null, List.of(sun, rain, wind), null),
            new Message(Role.TOOL, "none", List.of(), "2"));

    assertThat(replay.playNext()).isTrue();
    StateSnapshot afterCalls = session.state().all();
    assertThat(SnapshotCheck.problemInSession(afterCalls)).isNull();
    assertThat(afterCalls.asMap())
        .containsEntry("step", 1)
        .containsEntry("toolCalls", 3)
        .containsEntry("openCalls", 3)
        .containsEntry("lastTool", "wind")
        .containsEntry("call.2", Map.of("name", "rain", "arguments", "{\"mm\": 3}"))
        .doesNotContainKey("text");

    assertThat(replay.playNext()).isFalse();
    StateSnapshot afterResult = session.state().all();
    assertThat(SnapshotCheck.problemInSession(afterResult)).isNull();
    assertThat(afterResult.asMap())
        .containsEntry("openCalls", 2)
        .containsEntry("text", "none")
        .containsEntry("ended", true)
        .doesNotContainKey("call.2");
    assertThat(fleet.totals())
        .isEqualTo(Step.readFrom(afterResult).totals())
        .extracting(Totals::toolCalls)
        .isEqualTo(3L);
  }

  @Test
  void emptyConversationJustEnds() throws Exception {
    assertThat(replay().playNext()).isFalse();

    assertThat(session.state().all().asMap()).containsOnlyKeys("ended");
    assertThat(fleet.totals()).isEqualTo(new Totals(1, Map.of(), 0, 0));
  }

  private SessionReplay replay(Message... messages) {
    return new SessionReplay(new Conversation("[0]", List.of(messages)), session, fleet, branches);
  }
}
