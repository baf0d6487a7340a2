package dev.stillframe.trace.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.stillframe.json.Json;
import dev.stillframe.json.JsonException;
import dev.stillframe.json.JsonStreams;
import dev.stillframe.trace.LogLevel;
import dev.stillframe.trace.NodeStatus;
import dev.stillframe.trace.TraceError;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceStatus;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads one event in the form of {@link EventJson}. Members that it does not know do not matter.
 */
final class EventReader {
  /** What every reader of JSON can hold, a browser's too. */
  private static final long LARGEST = (1L << 53) - 1;

  private final Json json;
  private final JsonParser in;

  private long sequence;
  private @Nullable String type;
  private @Nullable String traceId;
  private @Nullable String nodeId;
  private @Nullable String spaceId;
  private @Nullable Instant instant;
  private @Nullable Long millis;
  private long nanos;
  private Map<String, @Nullable Object> data = Map.of();

  private EventReader(Json json, JsonParser in) {
    this.json = json;
    this.in = in;
  }

  /**
   * Reads an event.
   *
   * @throws JsonException if it is none
   */
  static TraceEvent read(Json json, JsonParser in) {
    try {
      EventReader reader = new EventReader(json, in);
      reader.members();
      TraceEvent event = reader.event();
      if (in.nextToken() != null) {
        throw new JsonException("There must be one event; something follows it");
      }
      return event;
    } catch (IOException
        | DateTimeException
        | ArithmeticException
        | ClassCastException
        | IllegalArgumentException
        | NullPointerException
        | StackOverflowError wrong) {
      throw new JsonException("The text must be an event; it is not: " + wrong.getMessage(), wrong);
    }
  }

  private void members() throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw new JsonException("An event must be an object; it begins with " + in.currentToken());
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      switch (name) {
        case "sequence" -> sequence = in.getLongValue();
        case "type" -> type = in.getText();
        case "trace_id" -> traceId = in.getText();
        case "node_id" -> nodeId = in.getText();
        case "space_id" -> spaceId = in.getText();
        case "instant" -> instant = Instant.parse(in.getText());
        case "timestamp" -> millis = in.getLongValue();
        case "nanos" -> nanos = in.getLongValue();
        case "data" -> data = JsonStreams.readMembers(json, in);
        default -> in.skipChildren();
      }
    }
  }

  private TraceEvent event() {
    String kind = Objects.requireNonNull(type, "type");
    String trace = Objects.requireNonNull(traceId, "trace_id");
    Instant at =
        instant == null
            ? Instant.ofEpochMilli(Objects.requireNonNull(millis, "timestamp")).plusNanos(nanos)
            : instant;
    if (sequence <= 0 || sequence > LARGEST) {
      throw new JsonException(
          "A sequence number must be from 1 to " + LARGEST + "; it is " + sequence);
    }
    return switch (kind) {
      case "init" -> new TraceEvent.Init(trace, sequence, at, textOrNull("created_by"), metadata());
      case "node_start" ->
          new TraceEvent.NodeStart(
              trace,
              sequence,
              at,
              node(),
              texts("parent_ids"),
              constant(NodeStatus.class, "status"),
              text("label"),
              textOrNull("kind"),
              data.get("input"),
              metadata(),
              constant(TraceEvent.Place.class, "place"));
      case "node_updated" ->
          new TraceEvent.NodeUpdated(
              trace,
              sequence,
              at,
              node(),
              data.containsKey("status") ? constant(NodeStatus.class, "status") : null,
              data.get("output"),
              metadata());
      case "node_complete" ->
          new TraceEvent.NodeComplete(trace, sequence, at, node(), data.get("output"));
      case "node_failed" ->
          new TraceEvent.NodeFailed(
              trace, sequence, at, node(), new TraceError(text("error_type"), textOrNull("error")));
      case "node_skipped" ->
          new TraceEvent.NodeSkipped(trace, sequence, at, node(), textOrNull("reason"));
      case "node_cancelled" ->
          new TraceEvent.NodeCancelled(trace, sequence, at, node(), textOrNull("reason"));
      case "log_added" ->
          new TraceEvent.LogAdded(
              trace,
              sequence,
              at,
              node(),
              constant(LogLevel.class, "level"),
              text("message"),
              list("arguments"));
      case "space_created" ->
          new TraceEvent.SpaceCreated(trace, sequence, at, space(), text("name"), metadata());
      case "space_deleted" -> new TraceEvent.SpaceDeleted(trace, sequence, at, space());
      case "memory_add" ->
          new TraceEvent.MemoryAdd(trace, sequence, at, space(), text("key"), value());
      case "memory_update" ->
          new TraceEvent.MemoryUpdate(trace, sequence, at, space(), text("key"), value());
      case "memory_delete" ->
          new TraceEvent.MemoryDelete(trace, sequence, at, space(), text("key"));
      case "complete" ->
          new TraceEvent.Complete(
              trace, sequence, at, constant(TraceStatus.class, "status"), textOrNull("reason"));
      case "gap" ->
          new TraceEvent.Gap(trace, ((Number) there("first_missing")).longValue(), sequence, at);
      default ->
          throw new JsonException("The type of an event must be known; '" + kind + "' is not");
    };
  }

  private String node() {
    return Objects.requireNonNull(nodeId, "node_id");
  }

  private String space() {
    return Objects.requireNonNull(spaceId, "space_id");
  }

  private Object there(String name) {
    return Objects.requireNonNull(data.get(name), name);
  }

  private Object value() {
    return there("value");
  }

  private String text(String name) {
    return (String) there(name);
  }

  private @Nullable String textOrNull(String name) {
    return (String) data.get(name);
  }

  private <E extends Enum<E>> E constant(Class<E> type, String name) {
    return Enum.valueOf(type, text(name).toUpperCase(Locale.ROOT));
  }

  @SuppressWarnings("unchecked") // members of an object are named by texts
  private Map<String, @Nullable Object> metadata() {
    Object metadata = data.get("metadata");
    return metadata == null ? Map.of() : (Map<String, @Nullable Object>) metadata;
  }

  @SuppressWarnings("unchecked") // a list of anything
  private List<@Nullable Object> list(String name) {
    Object list = data.get(name);
    return list == null ? List.of() : (List<@Nullable Object>) list;
  }

  private List<String> texts(String name) {
    return list(name).stream().map(text -> (String) Objects.requireNonNull(text, name)).toList();
  }
}
