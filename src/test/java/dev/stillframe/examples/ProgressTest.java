package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {

  @Test
  void plainProgressIsALineForEachTenth() {
    assertThat(shown(false).lines())
        .hasSize(10)
        .startsWith(" 10%  500 of 5,000 messages")
        .endsWith("100%  5,000 of 5,000 messages");
  }

  @Test
  void progressOnATerminalStaysOnOneLine() {
    assertThat(shown(true))
        .startsWith("\r[")
        .endsWith("] 100%  5,000 of 5,000 messages" + System.lineSeparator())
        .containsOnlyOnce(System.lineSeparator());
  }

  private static String shown(boolean inPlace) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Progress progress = new Progress(ExampleRun.print(bytes), inPlace, 5_000);
    for (int done = 0; done <= 5_000; done++) {
      progress.show(done);
    }
    progress.show(5_000);
    progress.end();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
