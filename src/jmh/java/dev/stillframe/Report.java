package dev.stillframe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Prints, as a Markdown table, what a run of the benchmarks says about the speeds to reach.
 *
 * <p>Takes the path of JMH's JSON results, {@code target/jmh/results.json} by default. A row whose
 * benchmarks were not run is left out.
 */
public final class Report {
  private static final String GET = "SingleKeyBenchmark.get";
  private static final String SET = "SingleKeyBenchmark.set";
  private static final String SET_BY_TWO = "SingleKeyBenchmark.setByTwo";
  private static final String MIXED_BY_TWO = "SingleKeyBenchmark.mixedByTwo";
  private static final String CHANGED = "SnapshotBenchmark.changed";
  private static final String APPEND = "AppendBenchmark.append";
  private static final String SET_ALONE = "SetDuringSnapshotsBenchmark.alone";
  private static final String DURING = "SetDuringSnapshotsBenchmark.during";

  private static final List<Row> ROWS =
      List.of(
          row("get", GET, "CHM", Reach.timesAtMost(1.3)),
          row("set", SET, "CHM", Reach.timesAtMost(1.2)),
          row("set, 2 threads", SET_BY_TWO, "CHM", Reach.timesAtMost(1.2)),
          row("3 get to 1 set, 2 threads", MIXED_BY_TWO, "CHM", Reach.ANYTHING),
          row("set", SET, "TWO_MAPS", Reach.speedAtLeast(1.4)),
          row("set, 2 threads", SET_BY_TWO, "TWO_MAPS", Reach.speedAtLeast(1.4)),
          row("get", GET, "TRIE_MAP", Reach.speedAtLeast(2)),
          row("set", SET, "TRIE_MAP", Reach.speedAtLeast(2)),
          row("set, 2 threads", SET_BY_TWO, "TRIE_MAP", Reach.speedAtLeast(2)),
          row("3 get to 1 set, 2 threads", MIXED_BY_TWO, "TRIE_MAP", Reach.speedAtLeast(2)),
          row("all, changed", CHANGED, "CHM", Reach.timesAtMost(1.2)),
          new Row(
              "all, unchanged",
              Score.mean("SnapshotBenchmark.unchanged"),
              "get",
              Score.mean(GET).by("STILLFRAME"),
              Reach.timesAtMost(2)),
          new Row(
              "set during snapshots, p99.9",
              Score.p999(DURING).of("set").by("STILLFRAME"),
              "no snapshots",
              Score.p999(SET_ALONE).by("STILLFRAME"),
              Reach.timesAtMost(3)),
          row("set during snapshots, p99.9", Score.p999(DURING).of("set"), "CHM"),
          row("set during snapshots, p99.9", Score.p999(DURING).of("set"), "RW_LOCK"),
          row("set during snapshots", Score.mean(DURING).of("set"), "CHM"),
          row("set during snapshots", Score.mean(DURING).of("set"), "RW_LOCK"),
          row("snapshot during sets", Score.mean(DURING).of("snapshot"), "CHM"),
          new Row(
              "update",
              Score.mean("CompoundWriteBenchmark.update"),
              "compute",
              Score.mean("CompoundWriteBenchmark.compute"),
              Reach.ANYTHING),
          new Row(
              "apply, 3 keys",
              Score.mean("CompoundWriteBenchmark.apply"),
              "3 put",
              Score.mean("CompoundWriteBenchmark.putEach"),
              Reach.ANYTHING),
          logRow("log event", "ByOne", "an empty task", "executor", Reach.speedAtLeast(3)),
          logRow("log event", "ByOne", "a task that logs", "executorWithEvent", Reach.ANYTHING),
          logRow("log event", "ByOne", "a span, OpenTelemetry", "spans", Reach.speedAtLeast(1)),
          logRow("log event", "ByOne", "JCTools' queue", "jctools", Reach.timesAtMost(3)),
          logRow(
              "log event, 2 threads", "ByTwo", "an empty task", "executor", Reach.speedAtLeast(3)),
          logRow(
              "log event, 2 threads",
              "ByTwo",
              "a task that logs",
              "executorWithEvent",
              Reach.ANYTHING),
          logRow(
              "log event, 2 threads",
              "ByTwo",
              "a span, OpenTelemetry",
              "spans",
              Reach.speedAtLeast(1)),
          logRow(
              "log event, 2 threads", "ByTwo", "JCTools' queue", "jctools", Reach.timesAtMost(3)),
          new Row(
              "open, one node, complete, close",
              Score.mean("TraceLifeBenchmark.openNodeCompleteClose"),
              "a thread",
              Score.mean("TraceLifeBenchmark.startAndJoinThread"),
              Reach.timesAtMost(0.2)),
          new Row(
              "log event to a file",
              Score.mean("FileStoreBenchmark.store"),
              "Jackson, BufferedWriter",
              Score.mean("FileStoreBenchmark.jackson"),
              Reach.timesAtMost(1.5)),
          new Row(
              "append to 100 events",
              Score.mean(APPEND).by("STILLFRAME").by("100"),
              "google-adk",
              Score.mean(APPEND).by("GOOGLE_ADK").by("100"),
              Reach.speedAtLeast(1)),
          new Row(
              "append to 10,000 events",
              Score.mean(APPEND).by("STILLFRAME").by("10000"),
              "to 10 events",
              Score.mean(APPEND).by("STILLFRAME").by("10"),
              Reach.ANYTHING));

  private Report() {}

  public static void main(String[] args) throws IOException {
    String path = args.length > 0 ? args[0] : "target/jmh/results.json";
    JsonNode results = new ObjectMapper().readTree(new File(path));
    System.out.println("| what | ns | beside | ns | ratio | reach | reached |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (Row row : ROWS) {
      Double ours = row.ours.in(results);
      Double theirs = row.theirs.in(results);
      if (ours != null && theirs != null) {
        System.out.println(row.line(ours, theirs));
      }
    }
  }

  private static Row row(String what, String benchmark, String peer, Reach reach) {
    Score score = Score.mean(benchmark);
    return new Row(what, score.by("STILLFRAME"), peer, score.by(peer), reach);
  }

  private static Row logRow(String what, String threads, String peer, String method, Reach reach) {
    return new Row(
        what,
        Score.throughput("LogEventBenchmark.trace" + threads),
        peer,
        Score.throughput("LogEventBenchmark." + method + threads),
        reach);
  }

  private static Row row(String what, Score score, String peer) {
    return new Row(what, score.by("STILLFRAME"), peer, score.by(peer), Reach.ANYTHING);
  }

  private record Row(String what, Score ours, String peer, Score theirs, Reach reach) {
    String line(double ours, double theirs) {
      double ratio = reach.isSpeed ? theirs / ours : ours / theirs;
      return String.format(
          Locale.ROOT,
          "| %s | %.1f | %s | %.1f | %.2f | %s |",
          what,
          ours,
          peer,
          theirs,
          ratio,
          reach.judge(ratio));
    }
  }

  /** What a ratio of times or, if {@code isSpeed}, of speeds has to be. */
  private record Reach(double limit, boolean isSpeed) {
    static final Reach ANYTHING = timesAtMost(Double.MAX_VALUE);

    static Reach timesAtMost(double limit) {
      return new Reach(limit, false);
    }

    static Reach speedAtLeast(double limit) {
      return new Reach(limit, true);
    }

    String judge(double ratio) {
      if (limit == Double.MAX_VALUE) {
        return " | ";
      }
      return isSpeed
          ? "≥ " + limit + " × the speed | " + (ratio >= limit ? "yes" : "no")
          : "≤ " + limit + " × the time | " + (ratio <= limit ? "yes" : "no");
    }
  }

  /** Where a time stands in the results. */
  private record Score(
      String benchmark, String mode, List<String> parameters, @Nullable String method) {
    static Score mean(String benchmark) {
      return new Score(benchmark, "avgt", List.of(), null);
    }

    static Score p999(String benchmark) {
      return new Score(benchmark, "sample", List.of(), null);
    }

    /** The time of one, from how many there were in a microsecond. */
    static Score throughput(String benchmark) {
      return new Score(benchmark, "thrpt", List.of(), null);
    }

    /** Picks the value of a parameter. */
    Score by(String parameter) {
      List<String> more = new ArrayList<>(parameters);
      more.add(parameter);
      return new Score(benchmark, mode, more, method);
    }

    /** Picks one method of a group. */
    Score of(String method) {
      return new Score(benchmark, mode, parameters, method);
    }

    private boolean fits(JsonNode result) {
      List<String> values = new ArrayList<>();
      result.path("params").forEach(value -> values.add(value.asText()));
      return result.path("benchmark").asText().endsWith("." + benchmark)
          && result.path("mode").asText().equals(mode)
          && values.containsAll(parameters);
    }

    @Nullable Double in(JsonNode results) {
      for (JsonNode result : results) {
        if (fits(result)) {
          JsonNode metric =
              method == null
                  ? result.path("primaryMetric")
                  : result.path("secondaryMetrics").path(method);
          return switch (mode) {
            case "sample" -> metric.path("scorePercentiles").path("99.9").asDouble();
            case "thrpt" -> 1_000 / metric.path("score").asDouble();
            default -> metric.path("score").asDouble();
          };
        }
      }
      return null;
    }
  }
}
