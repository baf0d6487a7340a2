package dev.stillframe.trace;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Draws a trace as a Mermaid flowchart. */
final class MermaidChart {
  private MermaidChart() {}

  static String draw(TraceSnapshot snapshot) {
    // Names by number: an id may be any text, which Mermaid would read as syntax.
    Map<String, String> names = new HashMap<>();
    StringBuilder text = new StringBuilder("flowchart TD\n");
    for (NodeSnapshot node : snapshot.nodes()) {
      String name = "n" + names.size();
      names.put(node.id(), name);
      String label = node.label().isEmpty() ? node.id() : node.label();
      text.append("  ")
          .append(name)
          .append("[\"")
          .append(TextTree.mark(node.status()))
          .append(' ')
          .append(escape(label))
          .append("\"]:::")
          .append(node.status().name().toLowerCase(Locale.ROOT))
          .append('\n');
    }
    for (NodeSnapshot node : snapshot.nodes()) {
      for (String parent : node.parentIds()) {
        text.append("  ")
            .append(names.get(parent))
            .append(" --> ")
            .append(names.get(node.id()))
            .append('\n');
      }
    }
    return text.append("  classDef pending stroke-dasharray:4\n")
        .append("  classDef running stroke:#06c\n")
        .append("  classDef completed stroke:#080\n")
        .append("  classDef failed stroke:#c00\n")
        .append("  classDef skipped stroke:#999\n")
        .append("  classDef cancelled stroke:#c60\n")
        .toString();
  }

  /** Writes everything but letters, digits, spaces and plain signs as an entity. */
  private static String escape(String label) {
    StringBuilder escaped = new StringBuilder(label.length());
    Columns.oneLine(label)
        .codePoints()
        .forEach(
            c -> {
              if (Character.isLetterOrDigit(c) || c == ' ' || ".,:!?+-_/()'".indexOf(c) >= 0) {
                escaped.appendCodePoint(c);
              } else {
                escaped.append('#').append(c).append(';');
              }
            });
    return escaped.toString();
  }
}
