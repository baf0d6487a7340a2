package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stillframe.StillframeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces that are loaded from a store which has lost some of their events. */
@Timeout(60)
class LostEventsTest {
  private final TestStore store = new TestStore();
  private final TraceRegistry registry = TraceRegistry.over(store);

  private TraceManager loadWithout(Set<Long> lost, TraceOptions options) {
    store.traces.get("t").removeIf(event -> lost.contains(event.sequence()));
    return registry.load("t", options);
  }

  private static List<TraceEvent> gaps(TraceManager trace) {
    return trace.eventList(0).stream().filter(TraceEvent.Gap.class::isInstance).toList();
  }

  private void write(int logs) {
    TraceManager trace = registry.open(TraceOptions.builder().id("t").build());
    TraceNode node = trace.add("in", NodeOptions.label("first")); // 2
    for (int i = 0; i < logs; i++) {
      node.info("{}", i + 3); // its sequence number
    }
    trace.close();
  }

  @Test
  void everyReaderIsToldOfEveryGap() throws Exception {
    write(1_000);
    Set<Long> lost = Set.of(1L, 10L, 11L, 12L, 500L, 700L, 701L);
    TraceManager loaded = loadWithout(lost, TraceOptions.defaults());
    assertThat(loaded.loadReport().damage())
        .extracting(StoreReport.Damage::first)
        .containsExactly(1L, 10L, 500L, 700L);
    assertThat(loaded.loadReport().damage())
        .extracting(StoreReport.Damage::last)
        .containsExactly(1L, 12L, 500L, 701L);
    assertThat(gaps(loaded)).extracting(TraceEvent::sequence).containsExactly(1L, 12L, 500L, 701L);
    List<Long> numbers = new ArrayList<>();
    TraceSubscription subscription = loaded.subscribe(event -> numbers.add(event.sequence()));
    loaded.handle("n1").info("more"); // 1003
    loaded.markComplete(); // 1004, and the node's end before
    Await.until("the stream ends", subscription::isEnded);
    assertThat(numbers)
        .isEqualTo(
            LongStream.rangeClosed(1, 1_005)
                .filter(n -> n == 1 || n == 12 || n == 500 || n == 701 || !lost.contains(n))
                .boxed()
                .toList());
    for (long after = 0; after < 1_005; after += 3) {
      long from = after;
      List<TraceEvent> rest = loaded.eventList(after);
      assertThat(rest.get(0).sequence()).as("after %d", after).isGreaterThan(from);
      TraceEvent first = rest.get(0);
      assertThat(
              first instanceof TraceEvent.Gap gap
                  ? gap.firstMissing() == from + 1
                  : first.sequence() == from + 1)
          .isTrue();
    }
    loaded.close();
    assertThat(store.traces.get("t"))
        .as("a gap is not stored")
        .noneMatch(TraceEvent.Gap.class::isInstance);
  }

  @Test
  void gapsAreToldWhereTheEventsComeFromTheStore() throws Exception {
    write(3_000);
    TraceManager loaded =
        loadWithout(Set.of(100L, 101L, 1_500L), TraceOptions.builder().retainEvents(10).build());
    assertThat(loaded.stats().oldestEvent()).isGreaterThan(1_500);
    assertThat(gaps(loaded)).extracting(TraceEvent::sequence).containsExactly(101L, 1_500L);
    assertThat(loaded.eventList(0)).hasSize(3_001);
    loaded.close();
  }

  @Test
  void whatIsReferredToAndLostIsThereUnderItsId() {
    TraceManager trace = registry.open(TraceOptions.builder().id("t").build());
    trace.add("in", NodeOptions.label("a")); // 2
    TraceNode b = trace.add("in", NodeOptions.label("b")); // 3 ends a, 4
    b.info("of b"); // 5
    TraceSpace space = trace.createSpace(SpaceOptions.name("s")); // 6
    space.set("k", 1); // 7
    trace.close();
    TraceManager loaded = loadWithout(Set.of(2L, 4L, 6L), TraceOptions.defaults());
    assertThat(loaded.nodes()).extracting(NodeSnapshot::id).containsExactly("n1", "n2");
    assertThat(loaded.nodes()).extracting(NodeSnapshot::label).containsExactly("(lost)", "(lost)");
    assertThat(loaded.node("n1").status()).isEqualTo(NodeStatus.COMPLETED);
    assertThat(loaded.logs("n2")).hasSize(1);
    assertThat(loaded.spaces()).hasSize(1);
    assertThat(loaded.spaces().get(0).values().get("k")).isEqualTo(1);
    assertThat(loaded.add("x", NodeOptions.label("c")).id()).as("a new id").isEqualTo("n3");
    assertThat(loaded.createSpace(SpaceOptions.name("t")).id()).as("a new id").isEqualTo("s2");
    loaded.close();
  }

  @Test
  void anIdOfADeletedSpaceIsNotGivenAgain() {
    TraceManager trace = registry.open(TraceOptions.builder().id("t").build());
    TraceSpace space = trace.createSpace(SpaceOptions.name("s"));
    space.delete();
    trace.close();
    TraceManager loaded = registry.load("t", TraceOptions.defaults());
    assertThat(loaded.createSpace(SpaceOptions.name("t")).id()).isNotEqualTo(space.id());
    loaded.close();
  }

  @Test
  void aStoreThatMixesUpTheOrderIsRefused() {
    Instant at = Instant.EPOCH;
    store.traces.put(
        "t",
        new ArrayList<>(
            List.of(
                new TraceEvent.SpaceDeleted("t", 5, at, "s"),
                new TraceEvent.SpaceDeleted("t", 4, at, "s"))));
    assertThatExceptionOfType(StillframeException.class)
        .isThrownBy(() -> registry.load("t", TraceOptions.defaults()))
        .withMessageContaining("event 4 follows event 5");
    assertThat(registry.list()).isEmpty();
  }

  @Test
  void flushSaysWhetherTheStoreHasEverything() {
    TraceManager memory = TraceManager.open();
    assertThat(memory.flush()).as("there is no store").isFalse();
    assertThat(memory.health()).isEqualTo(StoreHealth.GOOD);
    assertThat(memory.loadReport().isWhole()).isTrue();
    memory.close();
    TraceManager trace = registry.open(TraceOptions.builder().id("t").build());
    boolean[] fromTheStore = {true};
    store.before = events -> fromTheStore[0] = trace.flush();
    trace.add(null, NodeOptions.label("n"));
    assertThat(trace.flush()).isTrue();
    assertThat(fromTheStore[0]).as("a store must not wait for itself").isFalse();
    assertThat(store.traces.get("t")).hasSize(2);
    store.before =
        events -> {
          throw new Exception("on purpose");
        };
    trace.add(null, NodeOptions.label("n"));
    assertThat(trace.flush()).isFalse();
    store.before = events -> {};
    trace.add(null, NodeOptions.label("n"));
    assertThat(trace.flush()).isFalse();
    assertThat(trace.health().isStoring()).isTrue();
    assertThat(trace.health().failedWrites()).isEqualTo(trace.stats().failedWrites()).isPositive();
    trace.close();
    assertThat(trace.flush()).isFalse();
  }
}
