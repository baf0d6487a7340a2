package dev.stillframe.trace.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Finds records in a stream of bytes, whatever else is in it. It holds one record at a time; what
 * cannot be a record is passed over without being held.
 *
 * <p>A record begins where {@link Records#START} stands, and reaches to the next control character,
 * or start, or the end of the stream. What is not a whole record is handed on as damage, a line at
 * most at a time; only line ends between records are not damage.
 */
final class RecordReader implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final int longest;
  private byte[] buffer = new byte[BUFFER];

  /** Bytes from here on are in the buffer and not yet passed. */
  private int from;

  private int limit;

  /** Where {@code buffer[from]} is in the file. */
  private long offset;

  private long line = 1;
  private boolean atEnd;
  private @Nullable IOException damage;

  // The piece that was found last.
  private int recordStart;
  private int recordEnd;
  private long pieceLine;
  private boolean isRecord;

  /**
   * Creates a reader.
   *
   * @param offset where the stream begins in its file
   * @param longest the longest record; what is longer is damage
   */
  RecordReader(InputStream in, long offset, int longest) {
    this.in = in;
    this.offset = offset;
    this.longest = longest;
  }

  /** Moves on to the next record or damage. Returns false if there is none. */
  boolean next() throws IOException {
    for (; ; ) {
      if (from == limit && !fill(1)) {
        return false;
      }
      pieceLine = line;
      byte first = buffer[from];
      if (first == '\n' || first == '\r') {
        passOne();
      } else {
        fill(Records.START.length);
        isRecord = Records.isStart(buffer, from, limit) && record();
        if (!isRecord) {
          skipDamage();
        }
        return true;
      }
    }
  }

  /** Finds a record at the start of the buffer. */
  private boolean record() throws IOException {
    int length = Records.START.length;
    for (; ; ) {
      if (from + length >= limit && !fill(length + BUFFER / 2) && from + length >= limit) {
        break; // the file ends here
      }
      byte b = buffer[from + length];
      if (b >= 0 && b < ' ') {
        break;
      }
      if (b == '{') {
        fill(length + Records.START.length);
        if (Records.isStart(buffer, from + length, limit)) {
          break;
        }
      }
      if (++length > longest) {
        return false;
      }
    }
    int end =
        Records.isWhole(buffer, from, from + length)
            ? from + length
            : Records.endWithin(buffer, from, from + length);
    if (end < 0) {
      return false;
    }
    recordStart = from;
    recordEnd = end;
    offset += end - from; // with no line end in it
    from = end;
    return true;
  }

  /** Passes over what is no record, up to the end of the line or the next start. */
  private void skipDamage() throws IOException {
    do {
      passOne();
      if (from == limit && !fill(1)) {
        return;
      }
      if (buffer[from] == '{') {
        fill(Records.START.length);
        if (Records.isStart(buffer, from, limit)) {
          return;
        }
      }
    } while (buffer[from] != '\n');
  }

  private void passOne() {
    if (buffer[from++] == '\n') {
      line++;
    }
    offset++;
  }

  /** Reads until so many bytes are in the buffer. Returns false if there are fewer in the file. */
  private boolean fill(int count) throws IOException {
    if (limit - from >= count) {
      return true;
    }
    if (from + count > buffer.length || (buffer.length > BUFFER && limit - from < BUFFER / 2)) {
      int left = limit - from;
      int room = left + count <= BUFFER ? BUFFER : Math.max(left + count, (int) (left * 1.5));
      boolean fits = buffer.length >= room && (room > BUFFER || buffer.length == BUFFER);
      byte[] roomier = fits ? buffer : new byte[room];
      System.arraycopy(buffer, from, roomier, 0, left);
      buffer = roomier;
      from = 0;
      limit = left;
    }
    while (limit - from < count && !atEnd) {
      try {
        int read = in.read(buffer, limit, buffer.length - limit);
        atEnd = read < 0;
        limit += Math.max(read, 0);
      } catch (EOFException | ZipException damaged) { // what was read before is good
        atEnd = true;
        damage = damaged;
      }
    }
    return limit - from >= count;
  }

  /**
   * Returns why an archive cannot be read to its end; null if it can, or the end is not reached.
   */
  @Nullable IOException damage() {
    return damage;
  }

  /** Tells whether a record was found, or else damage. */
  boolean isRecord() {
    return isRecord;
  }

  /** Returns the buffer in which the record is, until the next move. */
  byte[] bytes() {
    return buffer;
  }

  int recordStart() {
    return recordStart;
  }

  int recordLength() {
    return recordEnd - recordStart;
  }

  /** Returns the line on which the piece begins. */
  long line() {
    return pieceLine;
  }

  /** Returns where the file goes on behind the piece. */
  long offset() {
    return offset;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
