package dev.stillframe.trace;

/** How wide text is on a terminal. */
final class Columns {
  private Columns() {}

  /** Replaces what would break a line or move the cursor by spaces. */
  static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints().map(c -> breaksLine(c) ? ' ' : c).forEach(line::appendCodePoint);
    return line.toString();
  }

  private static boolean breaksLine(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      // Overrides of the writing direction would turn the rest of the line around.
      default -> (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    };
  }

  static int of(CharSequence text) {
    return text.codePoints().map(Columns::ofCodePoint).sum();
  }

  /** Cuts text to a width, and shows by an ellipsis that it did. */
  static String cut(String text, int width) {
    if (of(text) <= width) {
      return text;
    }
    StringBuilder cut = new StringBuilder();
    int used = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      used += ofCodePoint(c);
      if (used > width - 1) {
        break;
      }
      cut.appendCodePoint(c);
      i += Character.charCount(c);
    }
    return cut.append('…').toString();
  }

  private static int ofCodePoint(int c) {
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(c) ? 2 : 1;
    };
  }

  /** The blocks of wide characters (East Asian scripts) and of emoji. */
  private static boolean isWide(int c) {
    return (c >= 0x1100 && c <= 0x115F)
        || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F)
        || (c >= 0xAC00 && c <= 0xD7A3)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0xFE30 && c <= 0xFE6F)
        || (c >= 0xFF00 && c <= 0xFF60)
        || (c >= 0xFFE0 && c <= 0xFFE6)
        || (c >= 0x1F300 && c <= 0x1FAFF)
        || (c >= 0x20000 && c <= 0x3FFFD);
  }
}
