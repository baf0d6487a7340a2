package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTotalsTest {
  private final TraceManager trace = TraceManager.open();
  private final List<TraceEvent> events;

  TraceTotalsTest() {
    trace
        .add("{}", NodeOptions.label("search").kind(EventTally.TOOL))
        .info("{}: {}", "user", "Hello");
    trace.markComplete();
    trace.close();
    events = trace.eventList(0);
  }

  private TraceTotals totalsOf(List<TraceEvent> received) {
    EventTally tally = new EventTally();
    received.forEach(tally);
    return TraceTotals.of(trace.snapshot(), events, trace.logs(), tally);
  }

  @Test
  void eventsAddUpToTheTrace() {
    TraceTotals totals = totalsOf(events);

    assertThat(totals.problem()).isNull();
    assertThat(totals.content().conversations()).isEqualTo(1);
    assertThat(totals.content().messages(Role.USER)).isEqualTo(1);
    assertThat(totals.content().toolCalls()).isEqualTo(1);
    assertThat(totals.content().checksum()).isEqualTo(Message.checksum("Hello"));
    assertThat(totals.plus(totals).nodes()).isEqualTo(2);
    assertThat(totals.plus(totals).events()).isEqualTo(2L * events.size());
  }

  @Test
  void lostRepeatedOrSwappedEventIsAProblem() {
    List<TraceEvent> lost = new ArrayList<>(events);
    lost.remove(2);
    List<TraceEvent> repeated = new ArrayList<>(events);
    repeated.add(2, events.get(2));
    List<TraceEvent> swapped = new ArrayList<>(events);
    swapped.set(2, events.get(1));
    swapped.set(1, events.get(2));

    assertThat(List.of(lost, repeated, swapped))
        .allSatisfy(
            received ->
                assertThat(totalsOf(received).problem()).contains(trace.id(), "must have this"));
    assertThat(totalsOf(events.subList(0, events.size() - 1)).problem()).contains("but got others");
  }

  @Test
  void firstProblemIsKept() {
    TraceTotals bad = TraceTotals.failed("the first").plus(TraceTotals.failed("the second"));

    assertThat(TraceTotals.NONE.plus(bad).plus(totalsOf(events)).problem()).isEqualTo("the first");
  }
}
