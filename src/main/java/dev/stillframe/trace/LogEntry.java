package dev.stillframe.trace;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log entry of a node.
 *
 * @param sequence the number of its event
 * @param timestamp when it was made
 * @param nodeId the node
 * @param level how much it matters
 * @param message the message, with <code>{}</code> where the arguments go
 * @param arguments the arguments
 */
public record LogEntry(
    long sequence,
    Instant timestamp,
    String nodeId,
    LogLevel level,
    String message,
    List<@Nullable Object> arguments) {

  /**
   * Returns the message with the arguments put in, one for each <code>{}</code>. What is missing
   * stays <code>{}</code>; what is left over is put at the end, in brackets.
   *
   * @return the text
   */
  public String text() {
    StringBuilder text = new StringBuilder(message.length() + 16 * arguments.size());
    int from = 0;
    int used = 0;
    for (int at; used < arguments.size() && (at = message.indexOf("{}", from)) >= 0; used++) {
      text.append(message, from, at).append(textOf(arguments.get(used)));
      from = at + 2;
    }
    text.append(message, from, message.length());
    return used == arguments.size()
        ? text.toString()
        : text.append(' ').append(textOf(arguments.subList(used, arguments.size()))).toString();
  }

  /** Returns the text of an argument; one that cannot say what it is spoils no other. */
  static String textOf(@Nullable Object argument) {
    try {
      return String.valueOf(argument);
    } catch (Throwable thrown) { // code of a user, which may be broken in any way
      return "(its toString threw " + thrown.getClass().getName() + ")";
    }
  }

  static LogEntry of(TraceEvent.LogAdded log) {
    return new LogEntry(
        log.sequence(), log.timestamp(), log.nodeId(), log.level(), log.message(), log.arguments());
  }
}
