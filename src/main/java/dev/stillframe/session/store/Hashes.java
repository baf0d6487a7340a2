package dev.stillframe.session.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Short names of texts of any length: two texts never had the same one. */
final class Hashes {
  private Hashes() {}

  /** Hashes texts; where one ends and the next begins makes a difference. */
  static String of(String... parts) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK must have SHA-256; this one has not", e);
    }
    for (String part : parts) {
      // UTF-16, so that keys with lone surrogates are not mixed up
      digest.update((part.length() + ":").getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < part.length(); i++) {
        digest.update((byte) (part.charAt(i) >> 8));
        digest.update((byte) part.charAt(i));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
