package dev.stillframe.trace.store;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * How events lie in a file: one a line, as JSON that begins with {@link #START} and ends with a
 * checksum of the bytes before it:
 *
 * <pre>{ "sequence":1,"type":"init", … ,"data":{},"crc":"0a1b2c3d"}</pre>
 *
 * <p>Two things are never within a record, whatever the values are: a control character, since JSON
 * escapes those, and the start of a record, since outside of texts there is no other space, and
 * within a text the quote would be escaped. So records that damage has run together are told apart
 * again, and the checksum says which of them are whole.
 */
final class Records {
  /** What follows the opening brace, and with it makes up the start. */
  static final String MARK = " ";

  static final byte[] START = "{ \"sequence\":".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] CHECKSUM = ",\"crc\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 8;

  /** The length of the checksum, quote and closing brace included. */
  static final int END = CHECKSUM.length + DIGITS + 2;

  private Records() {}

  static boolean isStart(byte[] bytes, int at, int limit) {
    return has(START, bytes, at, limit);
  }

  private static boolean has(byte[] wanted, byte[] bytes, int at, int limit) {
    if (limit - at < wanted.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (bytes[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes the end of a record.
   *
   * @param bytes the record without its closing brace, from {@code from} to {@code to}, and room
   *     for the end
   * @return where the record ends
   */
  static int end(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    System.arraycopy(CHECKSUM, 0, bytes, to, CHECKSUM.length);
    int at = to + CHECKSUM.length;
    digits(crc.getValue(), bytes, at);
    bytes[at + DIGITS] = '"';
    bytes[at + DIGITS + 1] = '}';
    return to + END;
  }

  private static void digits(long checksum, byte[] bytes, int at) {
    for (int i = 0; i < DIGITS; i++) {
      int digit = (int) (checksum >>> (4 * (DIGITS - 1 - i))) & 0xf;
      bytes[at + i] = (byte) (digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
  }

  /** Tells whether a record is whole. */
  static boolean isWhole(byte[] bytes, int from, int to) {
    int end = to - END;
    if (end < from || !isEnd(bytes, end, to)) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, end - from);
    return isChecksum(crc.getValue(), bytes, end + CHECKSUM.length);
  }

  /**
   * Finds the end of a whole record with something behind it.
   *
   * @return where the record ends; -1 if there is none
   */
  static int endWithin(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    int checked = from;
    for (int at = from; at <= to - END; at++) {
      if (bytes[at] == ',' && isEnd(bytes, at, to)) {
        crc.update(bytes, checked, at - checked);
        checked = at;
        if (isChecksum(crc.getValue(), bytes, at + CHECKSUM.length)) {
          return at + END;
        }
      }
    }
    return -1;
  }

  private static boolean isEnd(byte[] bytes, int at, int limit) {
    return has(CHECKSUM, bytes, at, limit)
        && bytes[at + END - 2] == '"'
        && bytes[at + END - 1] == '}';
  }

  private static boolean isChecksum(long checksum, byte[] bytes, int at) {
    byte[] expected = new byte[DIGITS];
    digits(checksum, expected, 0);
    return has(expected, bytes, at, at + DIGITS);
  }
}
