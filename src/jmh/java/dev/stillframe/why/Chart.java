package dev.stillframe.why;

import java.util.Locale;

/** Draws groups of horizontal bars, one below the other, as an SVG that suits light and dark. */
final class Chart {
  private static final int WIDTH = 860;
  private static final int NAMES = 220;
  private static final int LONGEST_BAR = 330;
  private static final int LINE = 24;

  private final StringBuilder drawn = new StringBuilder();
  private int y = 8;

  void group(String title) {
    y += 18;
    text(8, "font-weight=\"bold\"", title);
    y += LINE;
  }

  /**
   * Draws a bar.
   *
   * @param share from 0 to 1
   */
  void bar(String name, double share, String label) {
    text(24, "", name);
    String color = share == 1 ? "#2e8b57" : "#c0392b";
    drawn.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>%n",
            NAMES,
            y - 12,
            LONGEST_BAR * share,
            color));
    text(NAMES + (int) (LONGEST_BAR * share) + 8, "", label);
    y += LINE;
  }

  private void text(int x, String attributes, String text) {
    drawn.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" %s>%s</text>%n",
            x,
            y,
            attributes,
            text.replace("&", "&amp;").replace("<", "&lt;")));
  }

  String svg() {
    return String.format(
        Locale.ROOT,
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d">
        <rect width="%1$d" height="%2$d" fill="#ffffff"/>
        <g font-family="sans-serif" font-size="13" fill="#222222">
        %3$s</g>
        </svg>
        """,
        WIDTH,
        y,
        drawn);
  }
}
