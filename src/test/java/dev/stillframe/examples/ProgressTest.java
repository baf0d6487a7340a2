package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void plainProgressIsALineForEachTenth() {
    assertThat(shown(false).lines())
        .hasSize(10)
        .startsWith(" 10%  500 of 5,000 messages")
        .endsWith("100%  5,000 of 5,000 messages")
        .noneMatch(line -> line.contains("turn"));
  }

  @Test
  void progressOnATerminalIsDrawnInPlaceAndLeavesOnlyTheBar() {
    assertThat(screen(shown(true)))
        .singleElement()
        .asString()
        .startsWith("[####")
        .endsWith("] 100%  5,000 of 5,000 messages");
  }

  @Test
  void newestLinesOfTheTreeStandBelowTheBar() {
    Progress progress = new Progress(ExampleRun.print(bytes), true, 10);
    progress.show(5, () -> "one\n".repeat(20) + "newest\n");

    assertThat(screen(bytes.toString(StandardCharsets.UTF_8)))
        .hasSize(13)
        .endsWith("newest")
        .first()
        .asString()
        .contains("50%");
  }

  private String shown(boolean inPlace) {
    Progress progress = new Progress(ExampleRun.print(bytes), inPlace, 5_000);
    for (int done = 0; done <= 5_000; done++) {
      progress.show(done, () -> "turn\ntool\n");
    }
    progress.show(5_000, () -> "");
    progress.end();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Returns what a terminal shows after "line up" and "erase to the end of the screen". */
  private static List<String> screen(String output) {
    String[] pictures = output.split("\\u001b\\[J");
    for (int i = 0; i < pictures.length - 1; i++) {
      long linesLeft = i == 0 ? 0 : pictures[i].lines().count() - 1;
      String up = linesLeft == 0 ? "" : "\u001b[" + (linesLeft - 1) + "A";
      assertThat(pictures[i]).endsWith("\r" + up);
    }
    return pictures[pictures.length - 1].lines().toList();
  }
}
