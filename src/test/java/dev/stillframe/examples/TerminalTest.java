package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.NodeSpec;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceViews;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void plainTreeHasNothingThatAnOldTerminalCannotShow() {
    try (TraceManager trace = TraceManager.open()) {
      trace.add(null, NodeOptions.label("a label that is too long for so narrow a line"));
      trace.parallel(NodeSpec.of(null, "left"), NodeSpec.of(null, "right")).get(0).skip("why");
      String tree = Terminal.plain(TraceViews.textTree(trace.snapshot(), 20));

      assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(tree)).isTrue();
      assertThat(tree).contains("+ a label", "| - left", "` > right");
    }
  }
}
