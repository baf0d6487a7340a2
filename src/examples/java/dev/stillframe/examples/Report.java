package dev.stillframe.examples;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Holds the outcome of a replay against what the file holds. */
final class Report {
  private final Totals file;
  private final Totals sessions;
  private final Totals fleet;
  private final Dashboard.Findings findings;

  /**
   * Creates a report.
   *
   * @param file what must come out
   */
  Report(Totals file, Replay.Outcome outcome) {
    this.file = file;
    this.sessions = outcome.sessions();
    this.fleet = outcome.fleet();
    this.findings = outcome.findings();
  }

  void print(PrintStream out) {
    out.println();
    out.printf("%-15s %18s %18s %18s%n", "", "in the file", "in the sessions", "in the fleet");
    for (Totals.Row row : Totals.rows()) {
      out.printf(
          Locale.ROOT,
          "%-15s %,18d %,18d %,18d%n",
          row.name(),
          row.of(file),
          row.of(sessions),
          row.of(fleet));
    }
    out.println();
    out.printf(
        Locale.ROOT,
        "The dashboard took %,d snapshots, saw %,d different ones of sessions, and %,d torn.%n",
        findings.snapshots(),
        findings.different(),
        findings.torn());
  }

  /** Returns what is not as it must be, one line each. */
  List<String> failedChecks() {
    List<String> failed = new ArrayList<>();
    for (Totals.Row row : Totals.rows()) {
      require(row, "sessions", sessions, failed);
      require(row, "fleet", fleet, failed);
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
