package dev.stillframe.trace.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of folders for ids of any kind. A name consists of {@code a-z 0-9 - _ = ~}, so that it
 * means the same to every file system, whether case and Unicode's forms count there or not:
 *
 * <pre>
 *  a-z 0-9 - _          stand for themselves
 *  =x                   an upper-case X
 *  ~002f                any other char of the id, by its number; so there is no dot and no slash
 *  ~                    the empty id
 *  …~~sha-256           an id whose name would be too long: its beginning and its hash
 * </pre>
 *
 * A name that Windows keeps for a device has its first letter written by its number.
 */
final class SafeNames {
  private static final int LONGEST = 120;
  private static final int BEGINNING = 40;
  private static final String HASH = "~~";

  private static final Set<String> DEVICES =
      Set.of(
          "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6",
          "com7", "com8", "com9", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7",
          "lpt8", "lpt9");

  private SafeNames() {}

  static String of(String id) {
    if (id.isEmpty()) {
      return "~";
    }
    StringBuilder name = new StringBuilder();
    boolean isDevice = DEVICES.contains(id);
    for (int i = 0; i < id.length(); i++) {
      if (name.length() > LONGEST) {
        return name.substring(0, BEGINNING).replaceAll("(~[0-9a-f]{0,3}|=)$", "") + HASH + hash(id);
      }
      append(name, id.charAt(i), isDevice && i == 0);
    }
    return name.length() > LONGEST
        ? name.substring(0, BEGINNING).replaceAll("(~[0-9a-f]{0,3}|=)$", "") + HASH + hash(id)
        : name.toString();
  }

  private static void append(StringBuilder name, char c, boolean byNumber) {
    if (!byNumber && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_')) {
      name.append(c);
    } else if (c >= 'A' && c <= 'Z') {
      name.append('=').append((char) (c - 'A' + 'a'));
    } else {
      name.append('~').append(HexFormat.of().toHexDigits(c));
    }
  }

  /** Tells whether the id cannot be had from a name. */
  static boolean isHashed(String name) {
    return name.contains(HASH);
  }

  /** Returns the id of a name; null if it is hashed, or no name of ours. */
  static @Nullable String idOf(String name) {
    if (name.equals("~")) {
      return "";
    }
    StringBuilder id = new StringBuilder();
    try {
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (c == '=') {
          id.append((char) (name.charAt(++i) - 'a' + 'A'));
        } else if (c == '~') {
          id.append((char) HexFormat.fromHexDigits(name, i + 1, i + 5));
          i += 4;
        } else {
          id.append(c);
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException foreign) {
      return null;
    }
    return of(id.toString()).equals(name) ? id.toString() : null;
  }

  private static String hash(String id) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      // UTF-16, since UTF-8 would make one of all lone surrogates.
      return HexFormat.of().formatHex(sha.digest(id.getBytes(StandardCharsets.UTF_16BE)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
