package dev.stillframe.examples;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants.
 *
 * @param command what is to be done
 * @param file the file to replay or to show; null for the shipped conversations
 * @param store where sessions are kept
 * @param traceFolder where traces are kept; null for nowhere
 */
record CommandLine(
    Command command, @Nullable String file, String store, @Nullable Path traceFolder) {
  static final String USAGE =
      """
      Usage: ReplayConversations [OPTIONS] [FILE]
             ReplayConversations show TRACE

      Replays recorded agent conversations side by side into sessions and traces, while a
      dashboard looks at all of them, and checks that nothing was lost or torn.

      FILE is JSON: an array of conversations, each with its messages in "traj", in the
      form that most chat interfaces use (role, content, tool_calls, tool_call_id).
      Without FILE a small set that comes with this example is replayed several times.

      --store memory       keeps the sessions in memory, which is the default
      --store hazelcast    keeps them in three members of a Hazelcast cluster
      --store jdbc:...     keeps them in the database of this URL, such as jdbc:h2:mem:replay
      --trace-dir FOLDER   keeps all traces in this folder, and reads them back at the end
      --help               prints this

      show TRACE prints the tree of a trace that is kept: an events.jsonl, the archive
      of one, or the folder in which it is.

      Exit codes: 0 all checks passed, 1 a check or the replay failed, 2 bad input.
      """;

  /** What can be done. */
  enum Command {
    HELP,
    REPLAY,
    SHOW
  }

  static CommandLine parse(String... args) throws BadInputException {
    Deque<String> left = new ArrayDeque<>(Arrays.asList(args));
    if ("show".equals(left.peek())) {
      left.pop();
      return show(left);
    }
    String file = null;
    String store = null;
    String traces = null;
    while (!left.isEmpty()) {
      String next = left.pop();
      switch (next) {
        case "--help", "-h" -> {
          return new CommandLine(Command.HELP, null, SessionStore.MEMORY, null);
        }
        case "--store" -> store = value(next, store, left);
        case "--trace-dir" -> traces = value(next, traces, left);
        default -> {
          if (next.startsWith("-")) {
            throw new BadInputException(
                "An option must be --store, --trace-dir or --help, but one is '" + next + "'");
          }
          if (file != null) {
            throw new BadInputException(
                "There must be one file to replay, but there are '"
                    + file
                    + "' and '"
                    + next
                    + "'");
          }
          file = next;
        }
      }
    }
    return new CommandLine(
        Command.REPLAY,
        file,
        Objects.requireNonNullElse(store, SessionStore.MEMORY),
        traces == null ? null : path(traces, "The folder for the traces"));
  }

  private static CommandLine show(Deque<String> left) throws BadInputException {
    if (left.size() != 1) {
      throw new BadInputException(
          "show must be followed by one trace, but is followed by " + List.copyOf(left));
    }
    return new CommandLine(Command.SHOW, left.pop(), SessionStore.MEMORY, null);
  }

  private static String value(String option, @Nullable String before, Deque<String> left)
      throws BadInputException {
    if (before != null) {
      throw new BadInputException(option + " must be given once, but is given again");
    }
    String value = left.poll();
    if (value == null || value.isBlank() || value.startsWith("--")) {
      throw new BadInputException(
          option + " must be followed by a value, but is followed by " + quoted(value));
    }
    return value;
  }

  private static String quoted(@Nullable String value) {
    return value == null ? "nothing" : "'" + value + "'";
  }

  static Path path(String argument, String what) throws BadInputException {
    try {
      return Path.of(argument);
    } catch (InvalidPathException e) {
      throw new BadInputException(
          what + " must have a valid name, but '" + argument + "' is none: " + e.getReason());
    }
  }
}
