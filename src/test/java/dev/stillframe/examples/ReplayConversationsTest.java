package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReplayConversationsTest {

  @Test
  void shippedSetHasItsKnownTotals() throws BadInputException {
    assertThat(IndependentCount.of(ConversationSource.shipped()))
        .isEqualTo(
            new Totals(
                8,
                Map.of(Role.SYSTEM, 8L, Role.USER, 21L, Role.ASSISTANT, 34L, Role.TOOL, 25L),
                25,
                136_899_540_970L));
  }

  @Test
  void shippedSetIsReplayedSeveralTimesAndPassesTheChecks() {
    ExampleRun run = ExampleRun.of();

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains(
            "conversations 320 320 320 320",
            "messages 3,520 3,520 3,520 3,520",
            "system 320 320 320 320",
            "user 840 840 840 840",
            "assistant 1,360 1,360 1,360 1,360",
            "tool 1,000 1,000 1,000 1,000",
            "tool calls 1,000 1,000 1,000 1,000")
        .anyMatch(line -> line.endsWith("and 0 torn."))
        .anyMatch(line -> line.startsWith("├ ✓ tickets_left"))
        .hasSizeLessThan(45);
  }

  @Test
  void fileIsReplayedOnce(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("two conversations.json");
    Files.writeString(
        file,
        """
        [{"traj": []},
         {"traj": [
          {"role": "user", "content": "Grüße"},
          {"role": "assistant", "content": null, "tool_calls": [
            {"id": "a", "function": {"name": "look", "arguments": "not {json"}},
            {"id": "a", "function": {"name": "look", "arguments": ""}}]},
          {"role": "tool", "content": "", "tool_call_id": "never asked"},
          {"role": "assistant", "tool_calls": null}]}]
        """,
        StandardCharsets.UTF_8);

    ExampleRun run = ExampleRun.of(file.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains("conversations 2 2 2 2", "messages 4 4 4 4", "tool calls 2 2 2 2");
  }

  @Test
  void helpShowsTheUsage() {
    ExampleRun run = ExampleRun.of("--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("Usage: ");
    assertThat(run.err()).isEmpty();
  }
}
