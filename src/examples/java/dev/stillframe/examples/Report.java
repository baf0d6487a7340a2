package dev.stillframe.examples;

import dev.stillframe.trace.TraceSnapshot;
import dev.stillframe.trace.TraceViews;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Holds the outcome of a replay against what the file holds. */
final class Report {
  private static final int SAMPLE_LINES = 24;

  private final Totals file;
  private final Totals sessions;
  private final @Nullable String sessionProblem;
  private final Totals fleet;
  private final TraceTotals traces;
  private final Dashboard.Findings findings;

  /**
   * Creates a report.
   *
   * @param file what must come out
   */
  Report(Totals file, Replay.Outcome outcome) {
    this.file = file;
    this.sessions = outcome.sessions();
    this.sessionProblem = outcome.sessionProblem();
    this.fleet = outcome.fleet();
    this.traces = outcome.traces();
    this.findings = outcome.findings();
  }

  void print(PrintStream out) {
    out.println();
    out.printf(
        "%-15s %15s %15s %15s %15s%n",
        "", "in the file", "in the sessions", "in the fleet", "in the traces");
    for (Totals.Row row : Totals.rows()) {
      out.printf(
          Locale.ROOT,
          "%-15s %,15d %,15d %,15d %,15d%n",
          row.name(),
          row.of(file),
          row.of(sessions),
          row.of(fleet),
          row.of(traces.content()));
    }
    out.println();
    out.printf(
        Locale.ROOT,
        "The dashboard took %,d snapshots, saw %,d different ones of sessions, and %,d torn.%n",
        findings.snapshots(),
        findings.different(),
        findings.torn());
    out.printf(
        Locale.ROOT,
        "The traces hold %,d nodes; their subscribers got %,d events.%n",
        traces.nodes(),
        traces.events());
    printSample(out);
  }

  private void printSample(PrintStream out) {
    TraceSnapshot sample = traces.sample();
    if (sample == null) {
      return;
    }
    out.printf("%nThe trace of %s:%n", sample.metadata().get("conversation"));
    List<String> lines = TraceViews.textTree(sample, Terminal.WIDTH).lines().toList();
    lines.stream().limit(SAMPLE_LINES).map(Terminal::printable).forEach(out::println);
    if (lines.size() > SAMPLE_LINES) {
      out.printf("  and %d nodes more%n", lines.size() - SAMPLE_LINES);
    }
    out.println();
  }

  /** Returns what is not as it must be, one line each. */
  List<String> failedChecks() {
    List<String> failed = new ArrayList<>();
    for (Totals.Row row : Totals.rows()) {
      require(row, "sessions", sessions, failed);
      require(row, "fleet", fleet, failed);
      require(row, "traces", traces.content(), failed);
    }
    if (sessionProblem != null) {
      failed.add("Check failed: a session must agree with its events; " + sessionProblem);
    }
    if (traces.problem() != null) {
      failed.add("Check failed: a trace must agree with its events; " + traces.problem());
    }
    if (findings.snapshots() == 0) {
      failed.add("Check failed: the dashboard must take snapshots, but took 0");
    }
    if (findings.torn() > 0) {
      failed.add(
          String.format(
              Locale.ROOT,
              "Check failed: no snapshot must be torn, but %,d were; the first: %s",
              findings.torn(),
              findings.firstProblem()));
    }
    return failed;
  }

  private void require(Totals.Row row, String where, Totals actual, List<String> failed) {
    if (row.of(actual) != row.of(file)) {
      failed.add(
          String.format(
              Locale.ROOT,
              "Check failed: '%s' in the %s must be %,d, as in the file, but is %,d",
              row.name().strip(),
              where,
              row.of(file),
              row.of(actual)));
    }
  }
}
