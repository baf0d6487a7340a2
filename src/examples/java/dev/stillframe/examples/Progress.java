package dev.stillframe.examples;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows how far the replay is: a bar with a tree below it, drawn again and again in place; or now
 * and then a plain line.
 */
final class Progress {
  private static final int BAR_LENGTH = 30;
  private static final int TREE_LINES = 12;
  private static final long BETWEEN_PICTURES = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String TO_END_OF_SCREEN = "\u001b[J";

  private final PrintStream out;
  private final boolean inPlace;
  private final long total;
  private long lastTenth;
  private long lastPicture;
  private int linesBelow;
  private String bar = "";

  Progress(PrintStream out, boolean inPlace, long total) {
    this.out = out;
    this.inPlace = inPlace;
    this.total = total;
  }

  /**
   * Shows a number.
   *
   * @param tree what goes on, as lines; asked only if it is drawn
   */
  void show(long done, Supplier<String> tree) {
    long percent = total == 0 ? 100 : 100 * done / total;
    String text = String.format(Locale.ROOT, "%3d%%  %,d of %,d messages", percent, done, total);
    if (inPlace) {
      int full = (int) (BAR_LENGTH * percent / 100);
      bar = "[" + "#".repeat(full) + "-".repeat(BAR_LENGTH - full) + "] " + text;
      long now = System.nanoTime();
      if (lastPicture == 0 || now - lastPicture >= BETWEEN_PICTURES) {
        lastPicture = now;
        draw(tree.get());
      }
    } else if (percent / 10 > lastTenth) {
      lastTenth = percent / 10;
      out.println(text);
    }
  }

  private void draw(String tree) {
    List<String> lines = tree.lines().toList();
    List<String> newest = lines.subList(Math.max(0, lines.size() - TREE_LINES), lines.size());
    StringBuilder picture = new StringBuilder("\r");
    if (linesBelow > 0) {
      picture.append("\u001b[").append(linesBelow).append('A');
    }
    picture.append(TO_END_OF_SCREEN).append(bar);
    newest.forEach(line -> picture.append('\n').append(Terminal.printable(line)));
    linesBelow = newest.size();
    out.print(picture);
    out.flush();
  }

  /** Leaves the bar that was drawn in place, if there is one, without the tree. */
  void end() {
    if (!bar.isEmpty()) {
      draw("");
      out.println();
    }
  }
}
