package dev.stillframe.examples;

import dev.stillframe.trace.LogEntry;
import dev.stillframe.trace.NodeSnapshot;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What traces come to.
 *
 * @param content what their events add up to
 * @param events how many events there were
 * @param nodes how many nodes
 * @param problem the first thing that did not agree, or null
 * @param sample one of the traces, to be shown
 */
record TraceTotals(
    Totals content,
    long events,
    long nodes,
    @Nullable String problem,
    @Nullable TraceSnapshot sample) {
  private static final int FITS_ON_A_SCREEN = 20;
  static final TraceTotals NONE = new TraceTotals(Totals.NONE, 0, 0, null, null);

  static TraceTotals failed(String problem) {
    return new TraceTotals(Totals.NONE, 0, 0, problem, null);
  }

  /** Holds what a subscriber got against what the trace itself holds. */
  static TraceTotals of(
      TraceSnapshot trace, List<TraceEvent> events, List<LogEntry> logs, EventTally tally) {
    return new TraceTotals(
        tally.totals(),
        events.size(),
        trace.nodes().size(),
        problem(trace, events, logs, tally),
        trace);
  }

  private static @Nullable String problem(
      TraceSnapshot trace, List<TraceEvent> events, List<LogEntry> logs, EventTally tally) {
    if (tally.outOfOrder() != null) {
      return tally.outOfOrder();
    }
    if (!events.equals(tally.received())) {
      return trace.id() + ": the subscriber must get the events of the trace, but got others";
    }
    if (trace.sequence() != events.size()) {
      return differ(trace, "the last sequence number", events.size(), trace.sequence());
    }
    long open = trace.nodes().stream().filter(node -> node.endedAt() == null).count();
    if (open > 0) {
      return differ(trace, "the number of open nodes", 0, open);
    }
    long started = count(events, TraceEvent.NodeStart.class);
    if (started != trace.nodes().size()) {
      return differ(trace, "the number of nodes", started, trace.nodes().size());
    }
    long tools = trace.nodes().stream().filter(TraceTotals::isTool).count();
    if (tools != tally.totals().toolCalls()) {
      return differ(trace, "the number of tool calls", tally.totals().toolCalls(), tools);
    }
    long logged = count(events, TraceEvent.LogAdded.class);
    return logged == logs.size()
        ? null
        : differ(trace, "the number of log entries", logged, logs.size());
  }

  private static boolean isTool(NodeSnapshot node) {
    return EventTally.TOOL.equals(node.kind());
  }

  private static long count(List<TraceEvent> events, Class<? extends TraceEvent> type) {
    return events.stream().filter(type::isInstance).count();
  }

  private static String differ(TraceSnapshot trace, String what, long expected, long actual) {
    return trace.id() + ": " + what + " must be " + expected + ", as its events say, not " + actual;
  }

  TraceTotals plus(TraceTotals other) {
    return new TraceTotals(
        content.plus(other.content),
        events + other.events,
        nodes + other.nodes,
        problem == null ? other.problem : problem,
        sample == null || (other.sample != null && isBetter(other.sample, sample))
            ? other.sample
            : sample);
  }

  /** Prefers what has more to show but still fits on a screen. */
  private static boolean isBetter(TraceSnapshot one, TraceSnapshot other) {
    int more = Integer.compare(mostBranches(one), mostBranches(other));
    return more > 0 || (more == 0 && worth(one) > worth(other));
  }

  private static int worth(TraceSnapshot trace) {
    int nodes = trace.nodes().size();
    return nodes <= FITS_ON_A_SCREEN ? nodes : -nodes;
  }

  private static int mostBranches(TraceSnapshot trace) {
    return trace.nodes().stream().mapToInt(node -> node.childIds().size()).max().orElse(0);
  }
}
