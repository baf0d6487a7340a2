package dev.stillframe.session;

import java.io.Serializable;
import java.util.Comparator;
import java.util.Objects;

/**
 * Names a session. The three parts are opaque text, compared exactly: no character in them means
 * anything, and two ids are the same only if all three parts are. Ids are ordered by app, user and
 * session, each by its UTF-16 code units.
 *
 * @param app the app
 * @param user the user, within the app
 * @param session the session, within the user
 */
public record SessionId(String app, String user, String session)
    implements Comparable<SessionId>, Serializable {
  /** How many characters (UTF-16 code units) a part may have. */
  public static final int MAX_LENGTH = 1_024;

  private static final Comparator<SessionId> ORDER =
      Comparator.comparing(SessionId::app)
          .thenComparing(SessionId::user)
          .thenComparing(SessionId::session);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if a part is empty, longer than {@link #MAX_LENGTH}, or not
   *     well-formed (half of a surrogate pair, which has no form in UTF-8)
   */
  public SessionId {
    requireText("app of a session id", app);
    requireText("user of a session id", user);
    requireText("session of a session id", session);
  }

  /** Checks a text that names something. */
  static String requireText(String name, String part) {
    Objects.requireNonNull(part, name);
    if (part.isEmpty() || part.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "The "
              + name
              + " of a session id must have 1 to "
              + MAX_LENGTH
              + " characters; it has "
              + part.length());
    }
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < part.length()
                && Character.isLowSurrogate(part.charAt(i + 1));
        if (!paired) {
          throw new IllegalArgumentException(
              "The "
                  + name
                  + " of a session id must be well-formed text; character "
                  + i
                  + " is half of a surrogate pair, "
                  + String.format("U+%04X", (int) c));
        }
        i++;
      }
    }
    return part;
  }

  @Override
  public int compareTo(SessionId other) {
    return ORDER.compare(this, other);
  }
}
