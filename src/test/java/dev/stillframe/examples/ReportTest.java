package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Totals TWO = new Totals(2, Map.of(Role.USER, 2_000L), 0, 7);
  private static final Dashboard.Findings WHOLE = new Dashboard.Findings(9, 5, 0, null);

  @Test
  void sameTotalsPass() {
    assertThat(failed(TWO, TWO, WHOLE)).isEmpty();
  }

  @Test
  void lostMessageIsNamed() {
    Totals lost = new Totals(2, Map.of(Role.USER, 1_999L), 0, 7);

    assertThat(failed(TWO, lost, WHOLE))
        .containsExactly(
            "Check failed: 'messages' in the fleet must be 2,000, as in the file, but is 1,999",
            "Check failed: 'user' in the fleet must be 2,000, as in the file, but is 1,999");
    assertThat(failed(lost, TWO, WHOLE)).hasSize(2).allMatch(line -> line.contains("sessions"));
  }

  @Test
  void tornSnapshotIsNamed() {
    assertThat(failed(TWO, TWO, new Dashboard.Findings(9, 5, 1, "a: step 2 has another seal")))
        .singleElement()
        .asString()
        .contains("1 were; the first: a: step 2 has another seal");
  }

  @Test
  void dashboardThatNeverLookedIsNamed() {
    assertThat(failed(TWO, TWO, new Dashboard.Findings(0, 0, 0, null)))
        .containsExactly("Check failed: the dashboard must take snapshots, but took 0");
  }

  @Test
  void tracesThatDoNotAgreeAreNamed() {
    Totals fewer = new Totals(1, Map.of(Role.USER, 2_000L), 0, 7);
    TraceTotals traces = new TraceTotals(fewer, 9, 3, "t1: the number of nodes must be 4", null);

    assertThat(new Report(TWO, new Replay.Outcome(TWO, null, TWO, traces, WHOLE)).failedChecks())
        .containsExactly(
            "Check failed: 'conversations' in the traces must be 2, as in the file, but is 1",
            "Check failed: a trace must agree with its events; t1: the number of nodes must be 4");
  }

  private static List<String> failed(Totals sessions, Totals fleet, Dashboard.Findings findings) {
    TraceTotals traces = new TraceTotals(TWO, 9, 3, null, null);
    return new Report(TWO, new Replay.Outcome(sessions, null, fleet, traces, findings))
        .failedChecks();
  }

  @Test
  void sessionThatDisagreesWithItsEventsFails() {
    TraceTotals traces = new TraceTotals(TWO, 0, 0, null, null);
    Replay.Outcome outcome = new Replay.Outcome(TWO, "a: step 1 is torn", TWO, traces, WHOLE);

    assertThat(new Report(TWO, outcome).failedChecks())
        .containsExactly("Check failed: a session must agree with its events; a: step 1 is torn");
  }
}
