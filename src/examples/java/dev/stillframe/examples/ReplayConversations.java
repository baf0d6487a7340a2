package dev.stillframe.examples;

import dev.stillframe.state.SessionState;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Replays recorded agent conversations side by side. Each conversation has a {@link SessionState}
 * and a trace of its own, all of them share one state for totals, and a dashboard looks at every
 * state without pause. At the end the totals are checked against the file.
 */
public final class ReplayConversations {
  static final int SHIPPED_ROUNDS = 40;
  private static final String USAGE =
      """
      Usage: ReplayConversations [FILE]

      Replays recorded agent conversations side by side into session states and traces,
      while a dashboard looks at all of them, and checks that nothing was lost or torn.

      FILE is JSON: an array of conversations, each with its messages in "traj", in the
      form that most chat interfaces use (role, content, tool_calls, tool_call_id).
      Without FILE a small set that comes with this example is replayed several times.

      Exit codes: 0 all checks passed, 1 a check or the replay failed, 2 bad input.
      """;

  private ReplayConversations() {}

  /**
   * Runs the example and ends the process with its exit code.
   *
   * @param args the file to replay, if any
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
      if (args.length == 1 && List.of("--help", "-h").contains(args[0])) {
        out.print(USAGE);
        return 0;
      }
      List<String> failed = replay(args, out, inPlace);
      failed.forEach(err::println);
      return failed.isEmpty() ? 0 : 1;
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

  private static List<String> replay(String[] args, PrintStream out, boolean inPlace)
      throws BadInputException, ReplayFailedException, InterruptedException {
    ConversationSource source = source(args);
    int rounds = args.length == 0 ? SHIPPED_ROUNDS : 1;
    ConversationReader.validate(source);
    Totals inFile = IndependentCount.of(source);
    Totals expected = inFile.times(rounds);
    out.printf(
        Locale.ROOT,
        "Replaying %,d conversations from %s, %s, %d at once on %d threads%n",
        inFile.conversations(),
        source.name(),
        rounds == 1 ? "once" : rounds + " times",
        Replay.OPEN_AT_ONCE,
        Replay.THREADS);

    long start = System.nanoTime();
    Progress progress = new Progress(out, inPlace, expected.messageCount());
    Replay.Outcome outcome;
    try {
      outcome = new Replay(source, rounds, SessionState::create, progress).run();
    } finally {
      progress.end();
    }
    Report report = new Report(expected, outcome);
    report.print(out);
    List<String> failed = report.failedChecks();
    if (failed.isEmpty()) {
      double seconds = (System.nanoTime() - start) / 1e9;
      out.printf(Locale.ROOT, "All checks passed, in %.1f s.%n", seconds);
    }
    return failed;
  }

  private static ConversationSource source(String[] args) throws BadInputException {
    if (args.length == 0) {
      return ConversationSource.shipped();
    }
    if (args.length > 1) {
      throw new BadInputException(
          "There must be at most one argument, the file to replay, but there are " + args.length);
    }
    if (args[0].startsWith("-")) {
      throw new BadInputException("The only option is --help, but one is '" + args[0] + "'");
    }
    return ConversationSource.file(args[0]);
  }
}
