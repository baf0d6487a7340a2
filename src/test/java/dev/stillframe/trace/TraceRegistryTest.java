package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class TraceRegistryTest {
  private final TraceRegistry registry = TraceRegistry.create();

  private static TraceOptions id(String id) {
    return TraceOptions.builder().id(id).build();
  }

  @Test
  void knowsATraceUntilItIsReleasedByWhomever() {
    TraceManager a = registry.open(id("a"));
    TraceManager b = registry.open(id("b"));
    assertThat(registry.find("a")).isSameAs(a);
    assertThat(registry.list()).containsExactlyInAnyOrder(a, b);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.open(id("a")))
        .withMessageContaining("'a'");
    assertThat(registry.cancel("a", "stop")).isTrue();
    assertThat(registry.cancel("a", "stop")).isFalse();
    assertThat(registry.cancel("none", "stop")).isFalse();
    assertThat(registry.find("a")).isSameAs(a);
    a.close();
    assertThat(registry.find("a")).isNull();
    TraceManager again = registry.open(id("a"));
    a.close();
    assertThat(registry.find("a")).as("an old close leaves the new one").isSameAs(again);
    assertThat(registry.release("a")).isTrue();
    assertThat(registry.release("a")).isFalse();
    registry.close();
    assertThat(registry.list()).isEmpty();
    assertThat(b.status()).isEqualTo(TraceStatus.INTERRUPTED);
  }

  @Test
  void manyOpenersOneId() {
    TestStore store = new TestStore();
    TraceRegistry stored = TraceRegistry.over(store);
    AtomicInteger won = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  stored.open(id("one"));
                  won.incrementAndGet();
                } catch (IllegalArgumentException taken) {
                  assertThat(taken).hasMessageContaining("'one'");
                }
              });
      threads.add(thread);
      thread.start();
    }
    Await.join(threads);
    assertThat(won).hasValue(1);
    stored.close();
    assertThat(store.traces.get("one")).as("the losers wrote nothing").hasSize(1);
  }

  @Test
  void anOpenThatFailsLeavesNothing() {
    TraceOptions bad =
        TraceOptions.builder()
            .id("bad")
            .clock(
                new SuppliedClock(
                    () -> {
                      throw new LinkageError("on purpose");
                    }))
            .build();
    assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> registry.open(bad));
    assertThat(registry.find("bad")).isNull();
    registry.open(id("bad")).close();
  }

  @Test
  void idsMadeFromTheClockCollide() {
    TraceOptions frozen =
        TraceOptions.builder()
            .clock(Clock.fixed(Instant.parse("2026-02-03T04:05:06Z"), ZoneOffset.UTC))
            .build();
    Set<String> ids = ConcurrentHashMap.newKeySet();
    Set<String> nodeIds = ConcurrentHashMap.newKeySet();
    TraceManager shared = registry.open(frozen);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  ids.add(registry.open(frozen).id());
                  nodeIds.add(shared.add(null, NodeOptions.defaults()).id());
                }
              });
      threads.add(thread);
      thread.start();
    }
    Await.join(threads);
    assertThat(ids).hasSize(8_000).allMatch(id -> id.matches("20260203\\d{12}"));
    assertThat(nodeIds).hasSize(8_000);
    assertThat(registry.list()).hasSize(8_001);
    registry.close();
  }

  @Test
  void aStoredTraceThatWasNotEndedGoesOn() throws Exception {
    TestStore store = new TestStore();
    TraceRegistry stored = TraceRegistry.over(store);
    TraceManager trace = stored.open(id("t"));
    TraceNode node = trace.add("in", NodeOptions.label("n"));
    node.info("before");
    TraceSpace space = trace.createSpace(SpaceOptions.name("s"));
    space.set("k", List.of(1));
    space.set("gone", 1);
    space.remove("gone");
    trace.close();
    TraceSnapshot before = trace.snapshot();

    TraceManager loaded = stored.load("t", TraceOptions.defaults());
    TraceSnapshot after = loaded.snapshot();
    assertThat(after.status()).isEqualTo(TraceStatus.INTERRUPTED);
    assertThat(after.nodes()).isEqualTo(before.nodes());
    assertThat(after.spaces()).isEqualTo(before.spaces());
    assertThat(loaded.handle("n1").info("after").complete("out")).isTrue();
    assertThat(loaded.status()).as("it goes on").isEqualTo(TraceStatus.RUNNING);
    assertThat(loaded.space("s1").update("k", old -> 2)).isEqualTo(2);
    assertThat(loaded.add(null, NodeOptions.label("m")).id()).isEqualTo("n2");
    assertThat(loaded.markComplete()).isTrue();
    loaded.close();
    assertThat(store.traces.get("t")).isEqualTo(loaded.eventList(0));
    assertThat(loaded.logs()).extracting(LogEntry::text).containsExactly("before", "after");

    TraceManager ended = stored.load("t", TraceOptions.defaults());
    assertThat(ended.snapshot()).isEqualTo(loaded.snapshot());
    assertThat(ended.cancel("late")).isFalse();
    assertThatExceptionOfType(TraceClosedException.class)
        .isThrownBy(() -> ended.add(null, NodeOptions.defaults()))
        .withMessageContaining("completed");
    assertThat(ended.stream().toList()).isEqualTo(loaded.eventList(0));
    assertThat(stored.remove("t")).isTrue();
    assertThat(store.list()).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stored.load("t", TraceOptions.defaults()))
        .withMessageContaining("'t'");
  }

  @Test
  void theIdOfADeletedSpaceIsNotUsedAgainAfterALoad() {
    TraceRegistry stored = TraceRegistry.over(new TestStore());
    TraceManager trace = stored.open(id("t"));
    trace.createSpace(SpaceOptions.name("gone")).delete();
    trace.close();
    TraceManager loaded = stored.load("t", TraceOptions.defaults());
    assertThat(loaded.createSpace(SpaceOptions.name("new")).id()).isEqualTo("s2");
    loaded.close();
  }
}
