package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TraceViewsTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  private final TraceManager trace =
      TraceManager.open(TraceOptions.builder().clock(new SuppliedClock(() -> now.get())).build());

  /** Of the process and of two rows. */
  private static final int NAMES = 3;

  private void pass(long millis) {
    now.updateAndGet(then -> then.plus(Duration.ofMillis(millis)));
  }

  private void exampleTrace() {
    trace.add("q", NodeOptions.label("Plan"));
    pass(1_250);
    List<TraceNode> branches =
        trace.parallel(
            NodeSpec.of("JFK", "Search JFK"),
            NodeSpec.of("EWR", "Search EWR"),
            new NodeSpec("LGA", NodeOptions.label("Search LGA").pending()));
    pass(90);
    TraceNode second = branches.get(0).add(null, NodeOptions.label("Rank"));
    second.info("ranked {}", 3);
    pass(61_000);
    second.complete();
    branches.get(1).fail(new IllegalStateException("no\nluck"));
    branches.get(2).skip("closed");
    trace.add(null, NodeOptions.label("Merge \"all\" <b> 飛行機"));
  }

  @Test
  void textTree() {
    exampleTrace();
    assertThat(TraceViews.textTree(trace.snapshot(), 80))
        .isEqualTo(
            """
            ✓ Plan  1.2s
            ├ ✓ Search JFK  90ms
            ├ ✓ Rank  1m01s
            ├ ✗ Search EWR  1m01s  java.lang.IllegalStateException: no luck
            └ ↷ Search LGA  closed
            ▶ Merge "all" <b> 飛行機
            """);
  }

  @Test
  void textTreeFitsItsWidth() {
    exampleTrace();
    String narrow = TraceViews.textTree(trace.snapshot(), 20);
    assertThat(narrow.lines()).allMatch(line -> Columns.of(line) <= 20).hasSize(6);
    assertThat(narrow).contains("Merge \"all\" <b> …\n").contains("├ ✗ Search E…  1m01s\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceViews.textTree(trace.snapshot(), 19))
        .withMessageContaining("19");
  }

  @Test
  void textTreeOfAVeryDeepTree() {
    TraceNode deepest = trace.add(null, NodeOptions.label("0"));
    for (int i = 1; i < 5_000; i++) {
      deepest.add(null, NodeOptions.label("side").keepParentsOpen());
      deepest = deepest.add(null, NodeOptions.label("" + i).keepParentsOpen());
    }
    String text = TraceViews.textTree(trace.snapshot(), 100);
    assertThat(text.lines()).hasSize(9_999).allMatch(line -> Columns.of(line) <= 100);
    assertThat(TraceViews.mermaid(trace.snapshot()).lines()).hasSize(1 + 9_999 + 9_998 + 6);
  }

  @Test
  void mermaid() {
    exampleTrace();
    assertThat(TraceViews.mermaid(trace.snapshot()))
        .startsWith(
            """
            flowchart TD
              n0["✓ Plan"]:::completed
              n1["✓ Search JFK"]:::completed
              n2["✗ Search EWR"]:::failed
              n3["↷ Search LGA"]:::skipped
              n4["✓ Rank"]:::completed
              n5["▶ Merge #34;all#34; #60;b#62; 飛行機"]:::running
              n0 --> n1
              n0 --> n2
              n0 --> n3
              n1 --> n4
              n4 --> n5
              n2 --> n5
              n3 --> n5
            """);
  }

  @Test
  void chromeTrace() throws Exception {
    exampleTrace();
    trace.handle("n6").info("tab\t \"quoted\" \\ \u2028 \ud800 😀 \u0000");
    JsonNode json =
        new ObjectMapper().readTree(TraceViews.chromeTrace(trace.snapshot(), trace.logs()));
    JsonNode events = json.get("traceEvents");
    assertThat(events).hasSize(NAMES + 5 + 2);
    assertThat(events.findValuesAsText("ph").subList(0, NAMES)).containsOnly("M");
    assertThat(events.get(0).at("/args/name").asText()).isEqualTo("trace " + trace.id());
    assertThat(events.get(1).at("/args/name").asText()).isEqualTo("nodes");
    List<String> names = new ArrayList<>();
    events.forEach(event -> names.add(event.get("name").asText()));
    assertThat(names.subList(NAMES, names.size()))
        .startsWith("Plan", "Search JFK", "Search EWR", "Rank", "Merge \"all\" <b> 飛行機");
    assertThat(events.get(NAMES + 0).get("dur").asLong()).isEqualTo(1_250_000);
    assertThat(events.get(NAMES + 0).get("ts").asLong())
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000);
    assertThat(events.get(NAMES + 1).get("tid").asInt())
        .isNotEqualTo(events.get(NAMES + 2).get("tid").asInt());
    assertThat(events.get(NAMES + 4).get("ph").asText()).isEqualTo("B");
    assertThat(events.get(NAMES + 5).get("name").asText()).isEqualTo("ranked 3");
    assertThat(events.get(NAMES + 6).get("name").asText())
        .isEqualTo("tab\t \"quoted\" \\ \u2028 \ud800 😀 \u0000");
  }

  @Test
  void branchOfABranchIsDrawnUnderIt() {
    TraceNode root = trace.add(null, NodeOptions.label("root"));
    List<TraceNode> two = root.parallel(NodeSpec.of(null, "a"), NodeSpec.of(null, "b"));
    List<TraceNode> inner = two.get(0).parallel(NodeSpec.of(null, "a1"), NodeSpec.of(null, "a2"));
    inner.get(1).parallel(NodeSpec.of(null, "x"), NodeSpec.of(null, "y"));
    two.get(1).parallel(NodeSpec.of(null, "b1"), NodeSpec.of(null, "b2"));

    assertThat(TraceViews.textTree(trace.snapshot(), 80).replaceAll("  0ms", ""))
        .isEqualTo(
            """
            ✓ root
            ├ ✓ a
            │ ├ ▶ a1
            │ └ ✓ a2
            │   ├ ▶ x
            │   └ ▶ y
            └ ✓ b
              ├ ▶ b1
              └ ▶ b2
            """);
  }

  @Test
  void viewsOfManyNodesSideBySideTakeNoSquareOfTheTime() throws Exception {
    NodeSpec[] specs = new NodeSpec[50_000];
    Arrays.setAll(specs, i -> NodeSpec.of(null, "n" + i));
    List<TraceNode> nodes = trace.parallel(specs);
    for (TraceNode node : nodes) {
      node.add(null, NodeOptions.label("next")); // each takes the place of one in 50,000
    }
    assertThat(trace.current()).hasSize(specs.length);
    assertThat(trace.current().get(7).parentIds()).containsExactly(nodes.get(7).id());

    JsonNode json =
        new ObjectMapper().readTree(TraceViews.chromeTrace(trace.snapshot(), trace.logs()));
    assertThat(json.get("traceEvents")).hasSizeGreaterThan(2 * specs.length);
    assertThat(TraceViews.textTree(trace.snapshot(), 80).lines()).hasSize(2 * specs.length);
  }
}
