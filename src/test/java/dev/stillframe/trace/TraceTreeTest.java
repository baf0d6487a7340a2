package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TraceTreeTest {
  private final TraceManager trace = TraceManager.open();

  @Test
  void growsAsTheExampleSays() {
    trace.add("Which flights are left?", NodeOptions.label("Plan"));
    List<TraceNode> workers =
        trace.parallel(NodeSpec.of("JFK", "Search JFK"), NodeSpec.of("EWR", "Search EWR"));
    workers.forEach(node -> node.info("{} offers", 3).complete(Map.of("offers", 3)));
    trace.add(null, NodeOptions.label("Merge"));
    assertThat(trace.markComplete()).isTrue();
    trace.close();

    TraceSnapshot snapshot = trace.snapshot();
    assertThat(snapshot.status()).isEqualTo(TraceStatus.COMPLETED);
    assertThat(snapshot.nodes())
        .extracting(NodeSnapshot::label, NodeSnapshot::status, NodeSnapshot::parentIds)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("Plan", NodeStatus.COMPLETED, List.of()),
            org.assertj.core.groups.Tuple.tuple("Search JFK", NodeStatus.COMPLETED, List.of("n1")),
            org.assertj.core.groups.Tuple.tuple("Search EWR", NodeStatus.COMPLETED, List.of("n1")),
            org.assertj.core.groups.Tuple.tuple(
                "Merge", NodeStatus.COMPLETED, List.of("n2", "n3")));
    assertThat(snapshot.nodes().get(0).childIds()).containsExactly("n2", "n3");
    assertThat(snapshot.nodes().get(1).output()).isEqualTo(Map.of("offers", 3));
    assertThat(trace.logs()).extracting(LogEntry::text).containsExactly("3 offers", "3 offers");
    assertThat(trace.logs("n3")).hasSize(1);
    assertThat(trace.eventList(0))
        .extracting(TraceEvent::type)
        .containsExactly(
            "init",
            "node_start",
            "node_complete",
            "node_start",
            "node_start",
            "log_added",
            "node_complete",
            "log_added",
            "node_complete",
            "node_start",
            "node_complete",
            "complete");
    assertThat(trace.eventList(0))
        .extracting(TraceEvent::sequence)
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(trace.root()).extracting(NodeSnapshot::label).isEqualTo("Plan");
    assertThat(trace.current()).extracting(NodeSnapshot::label).containsExactly("Merge");
  }

  @Test
  void aBranchGrowsInItsOwnPlace() {
    trace.add(null, NodeOptions.label("root"));
    List<TraceNode> branches = trace.parallel(NodeSpec.of(1, "a"), NodeSpec.of(2, "b"));
    branches.get(0).add(null, NodeOptions.label("a2"));
    assertThat(trace.current()).extracting(NodeSnapshot::label).containsExactly("a2", "b");
    TraceNode join = trace.add(null, NodeOptions.label("join"));
    assertThat(trace.node(join.id()).parentIds()).containsExactly("n4", "n3");
  }

  @Test
  void joinsChosenNodesOnly() {
    List<TraceNode> three =
        trace.parallel(NodeSpec.of(1, "a"), NodeSpec.of(2, "b"), NodeSpec.of(3, "c"));
    three.get(0).join(List.of(three.get(2)), null, NodeOptions.label("a+c"));
    assertThat(trace.current()).extracting(NodeSnapshot::label).containsExactly("a+c", "b");
    assertThat(three.get(1).status()).isEqualTo(NodeStatus.RUNNING);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                three
                    .get(0)
                    .join(
                        List.of(TraceManager.open().add(null, NodeOptions.defaults())),
                        null,
                        NodeOptions.defaults()))
        .withMessageContaining("one trace");
  }

  @Test
  void parentsStayOpenIfTold() {
    TraceNode parent = trace.add(null, NodeOptions.label("parent"));
    parent.add(null, NodeOptions.label("child").keepParentsOpen());
    assertThat(parent.status()).isEqualTo(NodeStatus.RUNNING);
  }

  @Test
  void aNodeEndsOnceOnly() {
    TraceNode node = trace.add(null, NodeOptions.label("x").pending());
    assertThat(node.status()).isEqualTo(NodeStatus.PENDING);
    assertThat(node.start()).isTrue();
    assertThat(node.start()).isFalse();
    assertThat(node.fail(new IllegalStateException("no"))).isTrue();
    assertThat(node.complete(1)).isFalse();
    assertThat(node.skip("r")).isFalse();
    assertThat(node.cancel("r")).isFalse();
    NodeSnapshot snapshot = trace.node("n1");
    assertThat(snapshot.status()).isEqualTo(NodeStatus.FAILED);
    assertThat(snapshot.error()).isEqualTo(new TraceError("java.lang.IllegalStateException", "no"));
    node.setOutput("late");
    assertThat(trace.node("n1").output()).isNull();
    assertThat(trace.cancel("enough")).isTrue();
    assertThat(node.complete()).as("a final status needs no open trace").isFalse();
  }

  @Test
  void anIdIsUsedOnceAndARefusedAddChangesNothing() {
    TraceNode first = trace.add(null, NodeOptions.label("a").id("n2"));
    long before = trace.snapshot().sequence();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trace.add(null, NodeOptions.label("b").id("n2")))
        .withMessageContaining("'n2'");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                trace.parallel(
                    new NodeSpec(1, NodeOptions.label("a").id("x")),
                    new NodeSpec(2, NodeOptions.label("b").id("x"))));
    assertThat(trace.snapshot().sequence()).isEqualTo(before);
    assertThat(first.status()).isEqualTo(NodeStatus.RUNNING);
    trace.add(null, NodeOptions.defaults());
    assertThat(trace.add(null, NodeOptions.defaults()).id()).isEqualTo("n3");
    assertThat(trace.handle("n2")).isEqualTo(first);
    assertThat(trace.handle("none")).isNull();
  }

  @Test
  void runEndsItsNodeAsItsBodyEnds() {
    String result = trace.run("ok", node -> "r" + node.label());
    assertThat(result).isEqualTo("rok");
    assertThatExceptionOfType(java.io.IOException.class)
        .isThrownBy(
            () ->
                trace.run(
                    "bad",
                    node -> {
                      throw new java.io.IOException("disk");
                    }));
    assertThat(trace.nodes())
        .extracting(NodeSnapshot::status)
        .containsExactly(NodeStatus.COMPLETED, NodeStatus.FAILED);
    assertThat(trace.nodes().get(0).output()).isEqualTo("rok");
    String late =
        trace.run(
            "late",
            node -> {
              trace.cancel("stop");
              return "kept";
            });
    assertThat(late).isEqualTo("kept");
    assertThat(trace.nodes().get(2).status()).isEqualTo(NodeStatus.CANCELLED);
  }

  @Test
  void whatIsPassedIsCopied() {
    List<Object> list = new ArrayList<>(List.of("a"));
    Map<String, Object> nested = new HashMap<>(Map.of("list", list));
    Object[] array = {"x", list};
    TraceNode node = trace.add(nested, NodeOptions.label("n").metadata(nested));
    node.info("{}", array, list).setOutput(array);
    list.add("b");
    nested.put("more", 1);
    array[0] = "y";
    NodeSnapshot snapshot = trace.node("n1");
    assertThat(snapshot.input()).isEqualTo(Map.of("list", List.of("a")));
    assertThat(snapshot.metadata()).isEqualTo(Map.of("list", List.of("a")));
    assertThat(snapshot.output()).isEqualTo(List.of("x", List.of("a")));
    assertThat(trace.logs().get(0).text()).isEqualTo("[x, [a]] [[a]]");
  }

  @Test
  void theRedactorMasksBeforeAnythingIsKept() {
    try (TraceManager masked =
        TraceManager.open(
            TraceOptions.builder()
                .redactor(Redactor.keys("Password"))
                .metadata(Map.of("password", "m"))
                .build())) {
      TraceNode node =
          masked.add(
              Map.of("user", Map.of("password", "secret", "name", "ann")),
              NodeOptions.label("login"));
      node.info("{}", Map.of("PASSWORD", "secret")).complete(List.of(Map.of("password", "secret")));
      assertThat(masked.snapshot().toString() + masked.eventList(0) + masked.logs())
          .contains("ann", Redactor.MASK)
          .doesNotContain("secret");
    }
  }

  @Test
  void eventsOfOneMillisecondAreThrownAwayAsDuplicates() {
    Instant now = Instant.parse("2026-11-01T05:30:00Z");
    try (TraceManager frozen =
        TraceManager.open(TraceOptions.builder().clock(Clock.fixed(now, ZoneOffset.UTC)).build())) {
      TraceNode node = frozen.add(null, NodeOptions.label("n"));
      for (int i = 0; i < 100; i++) {
        node.info("same");
      }
      assertThat(frozen.id()).startsWith("20261101").hasSize(20);
      assertThat(frozen.logs()).hasSize(100);
      assertThat(frozen.logs()).extracting(LogEntry::sequence).doesNotHaveDuplicates();
      assertThat(frozen.eventList(0)).extracting(TraceEvent::timestamp).containsOnly(now);
    }
  }

  @Test
  void aVeryDeepTree() {
    TraceNode deepest = trace.add(null, NodeOptions.label("0"));
    for (int i = 1; i < 10_000; i++) {
      deepest = deepest.add(null, NodeOptions.label("" + i).keepParentsOpen());
    }
    TraceSnapshot open = trace.snapshot();
    assertThat(open.nodes()).hasSize(10_000);
    assertThat(open.toString()).contains("9999");
    assertThat(trace.handle("n1").cancelTree("deep")).isTrue();
    assertThat(deepest.status()).isEqualTo(NodeStatus.CANCELLED);
    assertThat(trace.markComplete()).isTrue();
    trace.close();
    assertThat(trace.snapshot().nodes()).allMatch(node -> node.status() == NodeStatus.CANCELLED);
  }

  @Test
  void fillsInLikeSlf4j() {
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    node.debug("a {} b {} c", 1, null).warn("{} {}", "only").error("none", 1, 2);
    assertThat(trace.logs())
        .extracting(LogEntry::text)
        .containsExactly("a 1 b null c", "only {}", "none [1, 2]");
  }

  @Test
  void timesShiftWithTheMachinesZone() {
    TimeZone own = TimeZone.getDefault();
    // In New York 01:30 on this night comes twice, an hour apart.
    Instant first = Instant.parse("2026-11-01T05:30:00Z");
    AtomicReference<Instant> now = new AtomicReference<>(first);
    Clock clock =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneId.systemDefault();
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now.get();
          }
        };
    TraceRegistry registry = TraceRegistry.over(new TestStore());
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      TraceManager stored = registry.open(TraceOptions.builder().clock(clock).build());
      TraceNode node = stored.add(null, NodeOptions.label("n"));
      now.set(first.plusSeconds(3_600));
      node.complete();
      stored.markComplete();
      stored.close();
      TraceSnapshot before = stored.snapshot();
      assertThat(stored.id()).startsWith("20261101");
      for (String zone : List.of("UTC", "Asia/Tokyo")) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        TraceManager loaded = registry.load(stored.id(), TraceOptions.defaults());
        TraceSnapshot after = loaded.snapshot();
        assertThat(after).as(zone).isEqualTo(before);
        NodeSnapshot loadedNode = after.nodes().get(0);
        assertThat(Duration.between(loadedNode.startedAt(), loadedNode.endedAt()))
            .isEqualTo(Duration.ofHours(1));
        assertThat(TraceViews.textTree(after, 80)).isEqualTo(TraceViews.textTree(before, 80));
        assertThat(loaded.eventList(0)).isEqualTo(stored.eventList(0));
        loaded.close();
      }
    } finally {
      TimeZone.setDefault(own);
    }
  }

  @Test
  void aVeryWideTree() {
    TraceNode root = trace.add(null, NodeOptions.label("root"));
    NodeSpec[] specs = new NodeSpec[10_000];
    Arrays.setAll(specs, i -> NodeSpec.of(i, "branch " + i));
    List<TraceNode> wide = trace.parallel(specs);
    assertThat(trace.current()).hasSize(10_000);
    TraceNode join = trace.add(null, NodeOptions.label("join"));
    assertThat(trace.node(join.id()).parentIds())
        .containsExactlyElementsOf(wide.stream().map(TraceNode::id).toList());
    assertThat(trace.node(root.id()).childIds()).hasSize(10_000);
    assertThat(trace.current()).extracting(NodeSnapshot::id).containsExactly(join.id());
  }
}
