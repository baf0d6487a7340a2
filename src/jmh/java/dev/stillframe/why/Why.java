package dev.stillframe.why;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs the same storms on this library and on others, and prints what each has kept, as a Markdown
 * table. Takes the path of a chart to write, {@code target/why.svg} by default.
 *
 * <pre>mvn -Pjmh test-compile exec:exec@why</pre>
 */
public final class Why {
  private static final List<Candidate> CANDIDATES =
      List.of(new StillframeCandidate(), new AdkCandidate(), new LangChain4jCandidate());

  private Why() {}

  private interface Storm {
    Storms.Outcome run(Candidate candidate) throws InterruptedException;
  }

  private record Row(String title, String unit, Storm storm, boolean onEvents) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "8 threads add 1 to one number, 10,000 times each",
              "kept",
              Storms::increments,
              /* onEvents= */ false),
          new Row(
              "2 threads write pairs, 2 threads look at them",
              "looks whole",
              Storms::pairs,
              /* onEvents= */ false),
          new Row(
              "8 threads append 200 events each, each through a handle that it keeps",
              "kept",
              Storms::appends,
              /* onEvents= */ true),
          new Row(
              "the same, through a new handle for each event",
              "kept",
              Storms::appendsThroughNewHandles,
              /* onEvents= */ true),
          new Row(
              "a session is created while the user's only other one is deleted, 300,000 times",
              "kept",
              Storms::createAgainstDelete,
              /* onEvents= */ false));

  public static void main(String[] args) throws IOException, InterruptedException {
    Chart chart = new Chart();
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder("| storm |");
    CANDIDATES.forEach(candidate -> head.append(' ').append(candidate.name()).append(" |"));
    lines.add(head.toString());
    lines.add("|---|" + "---:|".repeat(CANDIDATES.size()));
    for (Row row : ROWS) {
      chart.group(row.title);
      StringBuilder line = new StringBuilder("| ").append(row.title).append(" |");
      for (Candidate candidate : CANDIDATES) {
        System.err.printf("%s: %s%n", candidate.name(), row.title);
        Storms.Outcome outcome =
            row.onEvents && !candidate.service().hasEvents() ? null : row.storm.run(candidate);
        String text = text(outcome, row.unit);
        line.append(' ').append(text).append(" |");
        chart.bar(candidate.name(), outcome == null ? 0 : share(outcome), text);
      }
      lines.add(line.toString());
    }
    lines.forEach(System.out::println);
    Path path = Path.of(args.length > 0 ? args[0] : "target/why.svg");
    Files.writeString(path, chart.svg());
    System.err.println("The chart is in " + path);
  }

  private static double share(Storms.Outcome outcome) {
    return (double) outcome.good() / outcome.all();
  }

  private static String text(Storms.@Nullable Outcome outcome, String unit) {
    if (outcome == null) {
      return "cannot append";
    }
    long bad = outcome.all() - outcome.good();
    return bad == 0
        ? String.format(Locale.ROOT, "all %,d %s", outcome.all(), unit)
        : String.format(
            Locale.ROOT, "%,d of %,d %s: %,d not", outcome.good(), outcome.all(), unit, bad);
  }
}
