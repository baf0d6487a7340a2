package dev.stillframe.examples;

import dev.stillframe.state.SessionState;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Replays recorded agent conversations side by side. Each conversation has a session and a trace of
 * its own, all of them share one {@link SessionState} for totals, and a dashboard looks at every
 * session without pause. At the end the totals are checked against the file. Sessions may be in
 * memory, in a data grid or in a database; traces may be kept in files, and shown afterwards.
 */
public final class ReplayConversations {
  static final int SHIPPED_ROUNDS = 40;

  private ReplayConversations() {}

  /**
   * Runs the example and ends the process with its exit code.
   *
   * @param args as {@code --help} says
   */
  public static void main(String[] args) {
    int exitCode = run(args, System.out, System.err, Terminal.isInteractive());
    // Not on success: under exec:java that would end Maven before its later goals.
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  static int run(String[] args, PrintStream out, PrintStream err, boolean inPlace) {
    try {
      CommandLine line = CommandLine.parse(args);
      switch (line.command()) {
        case HELP -> out.print(CommandLine.USAGE);
        case SHOW -> TraceShow.print(Objects.requireNonNull(line.file()), out, err);
        case REPLAY -> {
          List<String> failed = replay(line, out, inPlace);
          failed.forEach(err::println);
          return failed.isEmpty() ? 0 : 1;
        }
      }
      return 0;
    } catch (BadInputException e) {
      err.println(e.getMessage());
      return 2;
    } catch (ReplayFailedException e) {
      err.println(e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("The replay was interrupted before its end");
      return 1;
    }
  }

  private static List<String> replay(CommandLine line, PrintStream out, boolean inPlace)
      throws BadInputException, ReplayFailedException, InterruptedException {
    ConversationSource source =
        line.file() == null ? ConversationSource.shipped() : ConversationSource.file(line.file());
    int rounds = line.file() == null ? shippedRounds(line.store()) : 1;
    ConversationReader.validate(source);
    Totals expected = IndependentCount.of(source).times(rounds);
    try (SessionStore sessions = SessionStore.open(line.store());
        StoredTraces traces =
            line.traceFolder() == null ? null : StoredTraces.in(line.traceFolder())) {
      out.printf(
          Locale.ROOT,
          "Replaying %,d conversations from %s, %s, %d at once on %d threads, into %s%n",
          expected.conversations() / rounds,
          source.name(),
          rounds == 1 ? "once" : rounds + " times",
          Replay.OPEN_AT_ONCE,
          Replay.THREADS,
          SessionStore.shown(line.store()));
      long start = System.nanoTime();
      Progress progress = new Progress(out, inPlace, expected.messageCount());
      Replay.Outcome outcome;
      try {
        outcome =
            new Replay(source, rounds, sessions.service(), SessionState.create(), traces, progress)
                .run();
      } finally {
        progress.end();
      }
      Report report = new Report(expected, outcome);
      report.print(out);
      List<String> failed = report.failedChecks();
      if (traces != null) {
        traces.print(outcome.traces(), out);
      }
      if (failed.isEmpty()) {
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(Locale.ROOT, "All checks passed, in %.1f s.%n", seconds);
      }
      return failed;
    } catch (IOException e) {
      throw new ReplayFailedException("The folder for the traces", e);
    }
  }

  /** Fewer where each append is a message to another process, or as good as that. */
  private static int shippedRounds(String store) {
    return SessionStore.isInMemory(store) ? SHIPPED_ROUNDS : SHIPPED_ROUNDS / 8;
  }
}
