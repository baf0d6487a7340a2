package dev.stillframe.trace;

import java.util.List;
import java.util.Objects;

/** Pictures of traces to look at. They are functions of snapshots: one snapshot, one text. */
public final class TraceViews {
  private TraceViews() {}

  /**
   * Draws the nodes of a trace as a text tree, one line each: a mark for the status, the label, how
   * long it ran, and why it failed, was skipped or cancelled. What follows a node alone stands
   * below it; branches are indented; a join stands below the last of the branches that it joins.
   * Labels that do not fit are cut.
   *
   * <p>The marks: {@code ○} pending, {@code ▶} running, {@code ✓} completed, {@code ✗} failed,
   * {@code ↷} skipped, {@code ⊘} cancelled.
   *
   * @param snapshot the trace
   * @param width how many columns a line may have, at least 20; a wide character takes two
   * @return the lines, each with a line feed at its end
   * @throws IllegalArgumentException if the width is less than 20
   */
  public static String textTree(TraceSnapshot snapshot, int width) {
    return new TextTree(Objects.requireNonNull(snapshot, "snapshot"), width).draw();
  }

  /**
   * Draws the nodes of a trace as a Mermaid flowchart.
   *
   * @param snapshot the trace
   * @return the source of the flowchart
   */
  public static String mermaid(TraceSnapshot snapshot) {
    return MermaidChart.draw(Objects.requireNonNull(snapshot, "snapshot"));
  }

  /**
   * Writes the nodes and log entries of a trace in the Chrome trace-event format, which Perfetto
   * and other viewers open. Nodes that overlap in time are put on different rows.
   *
   * @param snapshot the trace
   * @param logs its log entries, or those that are to be seen
   * @return a JSON object
   */
  public static String chromeTrace(TraceSnapshot snapshot, List<LogEntry> logs) {
    return ChromeTrace.write(
        Objects.requireNonNull(snapshot, "snapshot"), Objects.requireNonNull(logs, "logs"));
  }
}
