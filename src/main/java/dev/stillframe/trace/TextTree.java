package dev.stillframe.trace;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws a trace as indented lines. It never recurses, since a trace may be thousands deep. */
final class TextTree {
  private static final int LEAST_WIDTH = 20;

  private final TraceSnapshot snapshot;
  private final int width;
  private final Map<String, NodeSnapshot> nodes = new HashMap<>();
  private final Map<String, Integer> depths = new HashMap<>();

  TextTree(TraceSnapshot snapshot, int width) {
    if (width < LEAST_WIDTH) {
      throw new IllegalArgumentException(
          "width must be at least " + LEAST_WIDTH + "; it is " + width);
    }
    this.snapshot = snapshot;
    this.width = width;
    snapshot.nodes().forEach(node -> nodes.put(node.id(), node));
  }

  String draw() {
    StringBuilder text = new StringBuilder();
    List<NodeSnapshot> ordered = inOrder();
    List<String> branches = branches(ordered);
    for (int i = 0; i < branches.size(); i++) {
      appendLine(text, branches.get(i), ordered.get(i));
    }
    return text.toString();
  }

  /**
   * Draws what is left of each node. From the last one to the first, since a line goes down from a
   * node only if another one of its depth follows before one that is less deep.
   */
  private List<String> branches(List<NodeSnapshot> ordered) {
    String[] branches = new String[ordered.size()];
    BitSet followed = new BitSet();
    for (int i = branches.length - 1; i >= 0; i--) {
      int depth = Math.min(depths.getOrDefault(ordered.get(i).id(), 0), width / 4);
      StringBuilder branch = new StringBuilder();
      for (int d = 1; d < depth; d++) {
        branch.append(followed.get(d) ? "│ " : "  ");
      }
      if (depth > 0) {
        branch.append(followed.get(depth) ? "├ " : "└ ");
      }
      followed.set(depth);
      followed.clear(depth + 1, Math.max(followed.length(), depth + 1));
      branches[i] = branch.toString();
    }
    return List.of(branches);
  }

  /** Depth first, but a node comes after all that it follows. */
  private List<NodeSnapshot> inOrder() {
    Map<String, Integer> awaited = new HashMap<>();
    Deque<NodeSnapshot> next = new ArrayDeque<>();
    for (NodeSnapshot node : snapshot.nodes()) {
      awaited.put(node.id(), node.parentIds().size());
      if (node.parentIds().isEmpty()) {
        next.addLast(node);
        depths.put(node.id(), 0);
      }
    }
    List<NodeSnapshot> ordered = new ArrayList<>(nodes.size());
    while (!next.isEmpty()) {
      NodeSnapshot node = next.removeFirst();
      ordered.add(node);
      List<String> children = node.childIds();
      for (int i = children.size() - 1; i >= 0; i--) {
        NodeSnapshot child = nodes.get(children.get(i));
        if (child != null && awaited.merge(child.id(), -1, Integer::sum) == 0) {
          depths.put(child.id(), depth(child));
          next.addFirst(child);
        }
      }
    }
    return ordered;
  }

  /** A lone successor stands below its parent, a branch is indented, a join ends the branches. */
  private int depth(NodeSnapshot node) {
    int least = Integer.MAX_VALUE;
    for (String id : node.parentIds()) {
      NodeSnapshot parent = nodes.get(id);
      int depth = depths.getOrDefault(id, 0);
      boolean branches =
          node.parentIds().size() == 1 && parent != null && parent.childIds().size() > 1;
      least = Math.min(least, branches ? depth + 1 : depth);
    }
    return node.parentIds().size() > 1 ? Math.max(0, least - 1) : least;
  }

  private void appendLine(StringBuilder text, String branch, NodeSnapshot node) {
    StringBuilder line = new StringBuilder(branch);
    line.append(mark(node.status())).append(' ');
    String label = node.label().isEmpty() ? node.id() : node.label();
    StringBuilder after = new StringBuilder();
    Duration duration = node.duration();
    if (duration != null) {
      after.append("  ").append(format(duration));
    }
    String why = why(node);
    int room = width - Columns.of(line) - Columns.of(after);
    line.append(Columns.cut(Columns.oneLine(label), Math.max(1, room))).append(after);
    int left = width - Columns.of(line) - 2;
    if (why != null && left > 2) {
      line.append("  ").append(Columns.cut(Columns.oneLine(why), left));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  private static @Nullable String why(NodeSnapshot node) {
    return node.error() == null ? node.reason() : node.error().toString();
  }

  static char mark(NodeStatus status) {
    return switch (status) {
      case PENDING -> '○';
      case RUNNING -> '▶';
      case COMPLETED -> '✓';
      case FAILED -> '✗';
      case SKIPPED -> '↷';
      case CANCELLED -> '⊘';
    };
  }

  static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1_000) {
      return millis + "ms";
    }
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%d.%ds", millis / 1_000, millis % 1_000 / 100);
    }
    return String.format(Locale.ROOT, "%dm%02ds", millis / 60_000, millis / 1_000 % 60);
  }
}
