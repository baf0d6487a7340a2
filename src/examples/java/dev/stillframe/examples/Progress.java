package dev.stillframe.examples;

import java.io.PrintStream;
import java.util.Locale;

/** Shows how far the replay is: one line drawn again and again, or now and then a new line. */
final class Progress {
  private static final int BAR_LENGTH = 30;

  private final PrintStream out;
  private final boolean inPlace;
  private final long total;
  private long shown = -1;

  Progress(PrintStream out, boolean inPlace, long total) {
    this.out = out;
    this.inPlace = inPlace;
    this.total = total;
  }

  void show(long done) {
    long percent = total == 0 ? 100 : 100 * done / total;
    long step = inPlace ? percent : percent / 10;
    if (step <= shown || (step == 0 && !inPlace)) {
      return;
    }
    shown = step;
    String text = String.format(Locale.ROOT, "%3d%%  %,d of %,d messages", percent, done, total);
    if (inPlace) {
      int full = (int) (BAR_LENGTH * percent / 100);
      out.print("\r[" + "#".repeat(full) + "-".repeat(BAR_LENGTH - full) + "] " + text);
      out.flush();
    } else {
      out.println(text);
    }
  }

  /** Leaves the line that was drawn in place, if there is one. */
  void end() {
    if (inPlace && shown >= 0) {
      out.println();
    }
  }
}
