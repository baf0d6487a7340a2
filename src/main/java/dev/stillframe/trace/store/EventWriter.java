package dev.stillframe.trace.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stillframe.json.Json;
import dev.stillframe.json.JsonStreams;
import dev.stillframe.trace.TraceEvent;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes events in the form of {@link EventJson}. */
final class EventWriter {
  private static final int NANOS_OF_MILLI = 1_000_000;

  private final Json json;
  private final JsonGenerator out;

  EventWriter(Json json, JsonGenerator out) {
    this.json = json;
    this.out = out;
  }

  /** Writes an event as an object whose first member follows the given text. */
  void write(TraceEvent event, String beforeFirst) throws IOException {
    out.writeStartObject();
    out.writeRaw(beforeFirst);
    out.writeNumberField("sequence", event.sequence());
    out.writeStringField("type", event.type());
    out.writeStringField("trace_id", event.traceId());
    unlessNull("node_id", event.nodeId());
    unlessNull("space_id", event.spaceId());
    time(event.timestamp());
    out.writeFieldName("data");
    if (event instanceof TraceEvent.Gap gap) {
      out.writeStartObject();
      out.writeNumberField("first_missing", gap.firstMissing());
      out.writeNumberField("last_missing", gap.sequence());
      out.writeEndObject();
    } else {
      JsonStreams.writeMembers(json, out, event.data());
    }
    out.writeEndObject();
  }

  private void unlessNull(String name, @Nullable String text) throws IOException {
    if (text != null) {
      out.writeStringField(name, text);
    }
  }

  private void time(Instant time) throws IOException {
    long millis;
    try {
      millis = time.toEpochMilli();
    } catch (ArithmeticException beyond) { // some 292 million years from now
      millis = time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
      out.writeStringField("instant", time.toString());
    }
    out.writeNumberField("timestamp", millis);
    int nanos = time.getNano() % NANOS_OF_MILLI;
    if (nanos != 0) {
      out.writeNumberField("nanos", nanos);
    }
  }
}
