package dev.stillframe.examples;

import java.io.Console;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** What is known of where the output goes. */
final class Terminal {

  /** Fits into any window. */
  static final int WIDTH = 79;

  private static final String MARKS =
      "\u25cb\u25b6\u2713\u2717\u21b7\u2298\u2502\u251c\u2514\u2026";
  private static final String PLAIN_MARKS = "o>+x-/||`.";
  private static final boolean SHOWS_MARKS = outputCharset().newEncoder().canEncode(MARKS);

  private Terminal() {}

  private static Charset outputCharset() {
    String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding"));
    return name == null || !Charset.isSupported(name)
        ? Charset.defaultCharset()
        : Charset.forName(name);
  }

  /** Tells whether the output is looked at on a terminal that can draw in place. */
  static boolean isInteractive() {
    String terminal = System.getenv("TERM");
    return isInteractive(System.console()) && terminal != null && !terminal.equals("dumb");
  }

  private static boolean isInteractive(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      // Since JDK 22 there may be a console without a terminal, and this method that tells.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** Replaces the marks of a tree if the output cannot show them. */
  static String printable(String tree) {
    return SHOWS_MARKS ? tree : plain(tree);
  }

  static String plain(String tree) {
    String plain = tree;
    for (int i = 0; i < MARKS.length(); i++) {
      plain = plain.replace(MARKS.charAt(i), PLAIN_MARKS.charAt(i));
    }
    return plain;
  }
}
