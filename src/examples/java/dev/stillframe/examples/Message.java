package dev.stillframe.examples;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation.
 *
 * @param answeredCall on a tool's message, the id of the call it answers; null on all others
 */
record Message(
    Role role, @Nullable String text, List<ToolCall> toolCalls, @Nullable String answeredCall) {

  Message {
    toolCalls = List.copyOf(toolCalls);
  }

  long checksum() {
    return checksum(text);
  }

  static long checksum(@Nullable String text) {
    CRC32 crc = new CRC32();
    if (text != null) {
      crc.update(text.getBytes(StandardCharsets.UTF_8));
    }
    return crc.getValue();
  }
}
