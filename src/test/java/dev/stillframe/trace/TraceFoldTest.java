package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TraceFoldTest {
  private final TraceManager trace = TraceManager.open(TraceOptions.builder().id("t").build());
  private final TraceFold fold = new TraceFold();

  @Test
  void eventsAddUpToWhatTheTraceIsAtEachOfThem() {
    trace.subscribe(fold);
    trace.add("q", NodeOptions.label("Plan")).info("{} offers", 3);
    trace.parallel(NodeSpec.of("JFK", "JFK"), NodeSpec.of("EWR", "EWR")).get(0).fail(new Error());
    TraceSpace space = trace.createSpace(SpaceOptions.name("shared"));
    space.set("a", 1);
    TraceSnapshot running = trace.snapshot();
    TraceFold again = new TraceFold();
    trace.eventList(0).forEach(again);
    assertThat(again.snapshot()).isEqualTo(running);

    trace.cancel("enough");
    Await.until("the last event", () -> fold.snapshot().endedAt() != null);
    assertThat(fold.snapshot()).isEqualTo(trace.snapshot());
  }

  @Test
  void eventThatIsNotNewerIsRefusedAndChangesNothing() {
    trace.add(null, NodeOptions.label("n"));
    List<TraceEvent> events = trace.eventList(0);
    events.forEach(fold);
    TraceSnapshot before = fold.snapshot();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> fold.accept(events.get(1)))
        .withMessageContaining("event 2 follows event 2");
    assertThat(fold.snapshot()).isEqualTo(before);
  }

  @Test
  void whatIsMissingIsLostAndNothingElse() {
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    node.complete("done");
    List<TraceEvent> events = trace.eventList(0);
    fold.accept(new TraceEvent.Gap("t", 1, 2, events.get(0).timestamp()));
    fold.accept(events.get(2));

    NodeSnapshot lost = fold.snapshot().nodes().get(0);
    assertThat(lost.label()).isEqualTo("(lost)");
    assertThat(lost.output()).isEqualTo("done");
    assertThat(fold.snapshot().id()).isEqualTo("t");
  }
}
