package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionService;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateSnapshot;
import dev.stillframe.trace.NodeSnapshot;
import dev.stillframe.trace.NodeStatus;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionReplayTest {
  private final ConversationTrace trace = new ConversationTrace(TraceOptions.builder(), null);
  private final Session session = SessionService.inMemory().create("app", "user");
  private final ReplayedSession replayed = new ReplayedSession("a", session, trace);
  private final Fleet fleet = new Fleet(SessionState.create());

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
    assertThat(SnapshotCheck.problemInSession(session.snapshot())).isNull();
    assertThat(afterCalls.asMap())
        .containsEntry("step", 1)
        .containsEntry("toolCalls", 3)
        .containsEntry("openCalls", 3)
        .containsEntry("lastTool", "wind")
        .containsEntry("call.2", Map.of("name", "rain", "arguments", "{\"mm\": 3}"))
        .doesNotContainKey("text");

    assertThat(replay.playNext()).isFalse();
    StateSnapshot afterResult = session.state().all();
    assertThat(SnapshotCheck.problemInSession(session.snapshot())).isNull();
    assertThat(session.events())
        .extracting(SessionEvent::author)
        .containsExactly("assistant", "tool", "replay");
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
  void traceHasANodeForEachTurnAndCallAndABranchForEachOfSeveralCalls() throws Exception {
    ToolCall sun = new ToolCall("1", "sun", "{}");
    ToolCall rain = new ToolCall("2", "rain", "{}");
    ToolCall wind = new ToolCall("3", "wind", "{}");
    SessionReplay replay =
        replay(
            new Message(Role.USER, "Weather?\nToday.", List.of(), null),
            new Message(Role.ASSISTANT, null, List.of(sun, rain), null),
            new Message(Role.TOOL, "8 h", List.of(), "1"),
            new Message(Role.TOOL, "none", List.of(), "2"),
            new Message(Role.USER, "And wind?", List.of(), null),
            new Message(Role.ASSISTANT, null, List.of(wind), null),
            new Message(Role.TOOL, "calm", List.of(), "3"));
    while (replay.playNext()) {
      assertThat(trace.snapshot().status()).isEqualTo(TraceStatus.RUNNING);
    }

    List<NodeSnapshot> nodes = trace.snapshot().nodes();
    assertThat(nodes)
        .extracting(NodeSnapshot::label)
        .containsExactly("user: Weather?", "sun", "rain", "user: And wind?", "wind");
    assertThat(nodes).extracting(NodeSnapshot::status).containsOnly(NodeStatus.COMPLETED);
    assertThat(nodes).extracting(NodeSnapshot::output).contains("8 h", "none", "calm");
    assertThat(nodes.get(3).parentIds()).containsExactly(nodes.get(1).id(), nodes.get(2).id());
    assertThat(trace.snapshot().status()).isEqualTo(TraceStatus.COMPLETED);
    assertThat(replay.traced().problem()).isNull();
    assertThat(replay.traced().nodes()).isEqualTo(5);
    assertThat(replay.traced().content()).isEqualTo(fleet.totals());
  }

  @Test
  void emptyConversationJustEnds() throws Exception {
    assertThat(replay().playNext()).isFalse();

    assertThat(session.state().all().asMap()).containsOnlyKeys("ended");
    assertThat(fleet.totals()).isEqualTo(new Totals(1, Map.of(), 0, 0));
  }

  private SessionReplay replay(Message... messages) {
    return new SessionReplay(new Conversation("[0]", List.of(messages)), replayed, fleet);
  }
}
