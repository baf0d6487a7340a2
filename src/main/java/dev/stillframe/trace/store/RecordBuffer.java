package dev.stillframe.trace.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stillframe.json.JsonStreams;
import dev.stillframe.trace.TraceEvent;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** Records of events in memory, one after the other, on their way to a file. */
final class RecordBuffer extends OutputStream {
  private static final int FIRST = 1 << 10;

  private final int longest;
  private byte[] bytes = new byte[FIRST];
  private int length;
  private int recordStart;

  private RecordBuffer(int longest) {
    this.longest = longest;
  }

  /**
   * Writes events as records.
   *
   * @param longest the longest record that is allowed
   * @throws IOException if one is longer
   */
  static RecordBuffer of(EventJson form, List<TraceEvent> events, int longest) throws IOException {
    RecordBuffer buffer = new RecordBuffer(longest);
    try (JsonGenerator out = JsonStreams.factory().createGenerator(buffer)) {
      out.setRootValueSeparator(null);
      EventWriter writer = new EventWriter(form.json(), out);
      for (TraceEvent event : events) {
        buffer.recordStart = buffer.length;
        writer.write(event, Records.MARK);
        out.flush();
        buffer.endRecord();
      }
    }
    return buffer;
  }

  private void endRecord() throws IOException {
    ensureRoom(Records.END);
    length = Records.end(bytes, recordStart, length - 1); // over the closing brace
    bytes[length++] = '\n';
  }

  @Override
  public void write(int b) throws IOException {
    ensureRoom(1);
    bytes[length++] = (byte) b;
  }

  @Override
  public void write(byte[] from, int offset, int count) throws IOException {
    ensureRoom(count);
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  private void ensureRoom(int count) throws IOException {
    long needed = (long) length + count;
    if (needed - recordStart > longest) {
      throw new IOException("An event must not be longer than " + longest + " bytes; one is");
    }
    if (needed > Integer.MAX_VALUE - 8) {
      throw new IOException("Events that are written at once must fit an array; they do not");
    }
    if (needed > bytes.length) {
      long more = bytes.length + (long) (bytes.length >> 1);
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, more)));
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
