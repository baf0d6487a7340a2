package dev.stillframe.trace;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes a trace in the Chrome trace-event format. Times are in microseconds since the epoch. */
final class ChromeTrace {
  private final StringBuilder json = new StringBuilder();

  private ChromeTrace() {}

  static String write(TraceSnapshot snapshot, List<LogEntry> logs) {
    return new ChromeTrace().writeAll(snapshot, logs);
  }

  private String writeAll(TraceSnapshot snapshot, List<LogEntry> logs) {
    json.append("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"trace_id\":");
    string(snapshot.id());
    json.append("},\"traceEvents\":[");
    Map<String, Integer> rows = rows(snapshot.nodes());
    writeNames(snapshot.id(), rows);
    for (NodeSnapshot node : snapshot.nodes()) {
      if (node.startedAt() != null) {
        json.append(",\n");
        writeNode(node, node.startedAt(), rows.getOrDefault(node.id(), 0));
      }
    }
    for (LogEntry log : logs) {
      json.append(",\n");
      begin(log.text(), "log", "i", log.timestamp(), rows.getOrDefault(log.nodeId(), 0));
      json.append(",\"s\":\"t\",\"args\":{\"level\":");
      string(log.level().name().toLowerCase(Locale.ROOT));
      json.append("}}");
    }
    return json.append("]}\n").toString();
  }

  /** Says what a viewer calls the trace and its rows, else it would show numbers. */
  private void writeNames(String traceId, Map<String, Integer> rows) {
    writeName("process_name", 0, "trace " + traceId);
    int last = rows.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    for (int row = 0; row <= last; row++) {
      json.append(",\n");
      writeName("thread_name", row, row == 0 ? "nodes" : "beside " + row);
    }
  }

  private void writeName(String what, int row, String name) {
    json.append("{\"name\":\"").append(what).append("\",\"ph\":\"M\"");
    json.append(",\"pid\":1,\"tid\":").append(row + 1).append(",\"args\":{\"name\":");
    string(name);
    json.append("}}");
  }

  private void writeNode(NodeSnapshot node, Instant started, int row) {
    Instant ended = node.endedAt();
    String label = node.label().isEmpty() ? node.id() : node.label();
    String kind = node.kind() == null ? "node" : node.kind();
    begin(label, kind, ended == null ? "B" : "X", started, row);
    if (ended != null) {
      json.append(",\"dur\":").append(Math.max(0, micros(ended) - micros(started)));
    }
    json.append(",\"args\":{\"node_id\":");
    string(node.id());
    json.append(",\"status\":");
    string(node.status().name().toLowerCase(Locale.ROOT));
    optional("input", node.input());
    optional("output", node.output());
    optional("error", node.error());
    optional("reason", node.reason());
    json.append("}}");
  }

  private void begin(String name, String category, String phase, Instant at, int row) {
    json.append("{\"name\":");
    string(name);
    json.append(",\"cat\":");
    string(category);
    json.append(",\"ph\":\"").append(phase).append("\",\"ts\":").append(micros(at));
    json.append(",\"pid\":1,\"tid\":").append(row + 1);
  }

  /** A viewer nests what overlaps on one row, so that each node gets the first row that is free. */
  private static Map<String, Integer> rows(List<NodeSnapshot> nodes) {
    List<NodeSnapshot> started =
        nodes.stream()
            .filter(node -> node.startedAt() != null)
            .sorted(Comparator.comparing(ChromeTrace::startOf))
            .toList();
    Map<String, Integer> rows = new HashMap<>();
    PriorityQueue<Busy> busy = new PriorityQueue<>(Comparator.comparing(Busy::until));
    TreeSet<Integer> free = new TreeSet<>();
    for (NodeSnapshot node : started) {
      while (!busy.isEmpty() && !busy.peek().until.isAfter(startOf(node))) {
        free.add(busy.remove().row);
      }
      Integer first = free.pollFirst();
      int row = first == null ? busy.size() : first;
      busy.add(new Busy(node.endedAt() == null ? Instant.MAX : node.endedAt(), row));
      rows.put(node.id(), row);
    }
    return rows;
  }

  private record Busy(Instant until, int row) {}

  private static Instant startOf(NodeSnapshot node) {
    return node.startedAt() == null ? node.createdAt() : node.startedAt();
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private void optional(String name, @Nullable Object value) {
    if (value != null) {
      json.append(",\"").append(name).append("\":");
      string(LogEntry.textOf(value));
    }
  }

  private void string(String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (mustBeEscaped(text, i)) {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  /** Control characters, line separators, and halves of characters, which UTF-8 cannot write. */
  private static boolean mustBeEscaped(String text, int i) {
    char c = text.charAt(i);
    return c < ' '
        || c == '\u2028'
        || c == '\u2029'
        || (Character.isSurrogate(c) && !isPaired(text, i));
  }

  private static boolean isPaired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
