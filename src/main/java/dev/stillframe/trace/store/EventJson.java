package dev.stillframe.trace.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.stillframe.json.Json;
import dev.stillframe.json.JsonException;
import dev.stillframe.json.JsonStreams;
import dev.stillframe.trace.TraceError;
import dev.stillframe.trace.TraceEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events on the wire: as JSON, and as server-sent events. Immutable; it may be used by any number
 * of threads.
 *
 * <pre>{@code
 * {"sequence":12,"type":"log_added","trace_id":"20260203000000000017","node_id":"n1",
 *  "timestamp":1770091506000,"nanos":123456,"data":{"level":"info","message":"{} offers","arguments":[3]}}
 * }</pre>
 *
 * <p>{@code timestamp} is in milliseconds since 1970; {@code nanos} is what that leaves of the
 * instant, if anything. {@code node_id} and {@code space_id} are there if the event is about one.
 * {@code data} is {@link TraceEvent#data()}, written by the rules of {@link Json}: an event comes
 * back equal, as far as values do. A {@link TraceError} among them is {@code {"$error": …}}.
 */
public final class EventJson {
  private final Json json;

  private EventJson(Json json) {
    this.json = json;
  }

  /**
   * Returns the form whose values are written by the standard rules.
   *
   * @return the form
   * @throws dev.stillframe.StillframeException if Jackson is missing
   */
  public static EventJson standard() {
    return of(Json.standard());
  }

  /**
   * Returns the form whose values are written by rules of one's own.
   *
   * @param json the rules; they must not use the tag {@code error}
   * @return the form
   */
  public static EventJson of(Json json) {
    return new EventJson(json.with("error", TraceError.class, EventJson::fields, EventJson::error));
  }

  private static Map<String, @Nullable Object> fields(TraceError error) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("type", error.type());
    fields.put("message", error.message());
    return fields;
  }

  private static @Nullable TraceError error(Object read) {
    Map<?, ?> fields = (Map<?, ?>) read;
    String type = (String) fields.get("type");
    return type == null ? null : new TraceError(type, (String) fields.get("message"));
  }

  /**
   * Writes an event.
   *
   * @param event the event
   * @return one line of JSON
   */
  public String write(TraceEvent event) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JsonStreams.factory().createGenerator(bytes)) {
      new EventWriter(json, out).write(event, "");
    } catch (IOException thrown) {
      throw new JsonException("An event must be written to memory; it was not", thrown);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /**
   * Reads an event.
   *
   * @param text the event as {@link #write} writes it; members that are not known do not matter
   * @return the event
   * @throws JsonException if it is none
   */
  public TraceEvent read(String text) {
    try (JsonParser in = JsonStreams.factory().createParser(text)) {
      return EventReader.read(json, in);
    } catch (IOException thrown) {
      throw new JsonException("The text must be an event; it is not", thrown);
    }
  }

  /**
   * Writes an event as a server-sent event. Its id is the sequence number: a browser that lost its
   * connection sends it back as {@code Last-Event-ID}, and {@link #lastEventId} says where to go
   * on, see {@link dev.stillframe.trace.TraceManager#subscribe(long, java.util.function.Consumer)}.
   *
   * @param event the event
   * @return three lines, {@code id}, {@code event} and {@code data}, and an empty one
   */
  public String serverSentEvent(TraceEvent event) {
    return "id: "
        + event.sequence()
        + "\nevent: "
        + event.type()
        + "\ndata: "
        + write(event)
        + "\n\n";
  }

  /**
   * Reads the header that a browser sends as it comes back.
   *
   * @param header the value of {@code Last-Event-ID}, or null if there is none
   * @return the sequence number after which to go on; 0 if there is no header, or it is not one of
   *     ours
   */
  public static long lastEventId(@Nullable String header) {
    if (header == null || !header.strip().matches("[0-9]{1,18}")) {
      return 0;
    }
    return Long.parseLong(header.strip());
  }

  Json json() {
    return json;
  }
}
