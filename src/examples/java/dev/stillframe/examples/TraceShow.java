package dev.stillframe.examples;

import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceFold;
import dev.stillframe.trace.TraceSnapshot;
import dev.stillframe.trace.TraceViews;
import dev.stillframe.trace.store.FileTraceStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** Prints the tree of a trace that is kept in a file, while others may be writing to it. */
final class TraceShow {
  private TraceShow() {}

  static void print(String argument, PrintStream out, PrintStream err) throws BadInputException {
    Path file = file(CommandLine.path(argument, "A trace to show"), argument);
    TraceFold fold = new TraceFold();
    StoreReport report;
    try {
      report = FileTraceStore.replayFile(file, fold);
    } catch (IOException e) {
      throw new BadInputException(
          "A trace to show must be readable, but '" + argument + "' is not: " + e);
    }
    report.damage().forEach(damage -> err.println("Damaged: " + damage));
    if (report.events() == 0) {
      throw new BadInputException(
          "A trace to show must have events, but '" + argument + "' has none");
    }
    TraceSnapshot trace = fold.snapshot();
    out.printf(
        Locale.ROOT,
        "%s, %s, %,d events, %,d nodes%n",
        trace.id(),
        trace.status().name().toLowerCase(Locale.ROOT),
        report.events(),
        trace.nodes().size());
    out.print(Terminal.printable(TraceViews.textTree(trace, Terminal.WIDTH)));
  }

  /** Finds the file of a trace that is named by its folder. */
  private static Path file(Path path, String argument) throws BadInputException {
    if (!Files.isDirectory(path)) {
      if (Files.notExists(path)) {
        throw new BadInputException(
            "A trace to show must exist, but there is no '" + argument + "'");
      }
      return path;
    }
    return Stream.of("events.jsonl", "events.jsonl.gz")
        .map(path::resolve)
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    "The folder of a trace must hold its events, but '" + argument + "' does not"));
  }
}
