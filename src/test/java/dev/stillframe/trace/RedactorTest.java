package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedactorTest {
  private static final String SECRET = "s3cret";

  /** Wherever a secret may be, what is stored, published and shown does not have it. */
  @Test
  void nothingThatLeavesTheTraceHasTheSecret() throws Exception {
    TraceStore store = TraceStore.inMemory();
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder()
                .id("t")
                .store(store)
                .metadata(Map.of("token", SECRET))
                .redactor(Redactor.keys("Token"))
                .build());
    List<TraceEvent> published = new ArrayList<>();
    TraceSubscription subscription = trace.subscribe(published::add);
    Map<String, Object> inner = Map.of("TOKEN", SECRET, "kept", "yes");
    Deque<Object> other = new ArrayDeque<>(List.of(inner));
    List<Object> everywhere =
        List.of(
            inner,
            List.of(List.of(inner)),
            Set.of(inner),
            Set.of(Map.of("a", Set.of(inner))),
            List.of(new Object[] {inner, List.of(inner)}),
            List.of(new Map<?, ?>[][] {{inner}}),
            Map.of(inner, "a key", "x", inner),
            other,
            new Object[] {inner},
            Map.of("token", List.of(SECRET)));
    for (Object value : everywhere) {
      TraceNode node =
          trace.add(value, NodeOptions.label("n").metadata(Map.of("m", value, "token", SECRET)));
      node.info("{}", value).setOutput(value).setMetadata(Map.of("token", SECRET, "m", value));
      node.complete(value);
      TraceSpace space = trace.createSpace(SpaceOptions.name("s").metadata(Map.of("m", value)));
      space.set("k", value);
      space.update("k", old -> List.of(value));
      space.set("token", SECRET);
    }
    trace.markComplete();
    trace.close();
    Await.until("the stream ends", subscription::isEnded);
    List<TraceEvent> stored = store.read("t", 0, 10_000);
    assertThat(stored).isEqualTo(published);
    for (TraceEvent event : stored) {
      assertThat(event.data().toString()).as(event.type()).doesNotContain(SECRET);
    }
    assertThat(stored.toString()).contains("kept=yes", Redactor.MASK);
    String shown =
        TraceViews.textTree(trace.snapshot(), 1_000)
            + TraceViews.mermaid(trace.snapshot())
            + TraceViews.chromeTrace(trace.snapshot(), trace.logs());
    assertThat(shown).doesNotContain(SECRET);
  }

  @Test
  void aPathMasksOneOfTwo() {
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder()
                .redactor(Redactor.paths("input.user.password", "k", "arguments"))
                .build());
    Map<String, Object> value = Map.of("user", Map.of("password", SECRET), "password", "kept");
    trace.add(value, NodeOptions.label("n")).info("{}", SECRET).complete(value);
    assertThat(trace.root().input())
        .isEqualTo(Map.of("user", Map.of("password", Redactor.MASK), "password", "kept"));
    assertThat(trace.root().output()).isEqualTo(value);
    assertThat(trace.logs().get(0).text()).isEqualTo(Redactor.MASK);
    trace.createSpace(SpaceOptions.name("s")).set("k", SECRET);
    assertThat(trace.eventList(0).toString()).doesNotContain("k, value=" + SECRET);
    trace.close();
  }
}
