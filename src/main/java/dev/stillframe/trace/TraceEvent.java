package dev.stillframe.trace;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change to a trace. An event is immutable. Its {@link #sequence()} decides the order; the
 * {@link #timestamp()}, which is the time of the call that led to it, decides nothing.
 */
public sealed interface TraceEvent {

  /**
   * Returns the id of the trace.
   *
   * @return the id
   */
  String traceId();

  /**
   * Returns the place of the event in its trace: 1, 2, 3 and so on, without a hole. For a {@link
   * Gap} it is the last missing number.
   *
   * @return the number
   */
  long sequence();

  /**
   * Returns when it happened, by the trace's clock.
   *
   * @return the time of the call
   */
  Instant timestamp();

  /**
   * Returns the wire name of this kind of event.
   *
   * @return the name, in snake case
   */
  String type();

  /**
   * Returns the node that this event is about.
   *
   * @return the node's id, or null
   */
  default @Nullable String nodeId() {
    return null;
  }

  /**
   * Returns the space that this event is about.
   *
   * @return the space's id, or null
   */
  default @Nullable String spaceId() {
    return null;
  }

  /**
   * Returns what this event says, beyond the ids, by the names of the wire form. What is null is
   * left out, and so are metadata and arguments if there are none.
   *
   * @return a new map
   */
  Map<String, Object> data();

  /**
   * The trace was opened. Always the first one.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param createdBy who opened it, or null
   * @param metadata what the opener said about it
   */
  record Init(
      String traceId,
      long sequence,
      Instant timestamp,
      @Nullable String createdBy,
      Map<String, @Nullable Object> metadata)
      implements TraceEvent {
    @Override
    public String type() {
      return "init";
    }

    @Override
    public Map<String, Object> data() {
      return fields("created_by", createdBy, "metadata", orNull(metadata));
    }
  }

  /**
   * A node was added.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param nodeId the node
   * @param parentIds the nodes that it follows: none for a root, several for a join
   * @param status pending or running
   * @param label what to call it
   * @param kind what kind of step it is, or null
   * @param input its input, or null
   * @param metadata what else is known about it
   * @param place how it changes which nodes are the current ones
   */
  record NodeStart(
      String traceId,
      long sequence,
      Instant timestamp,
      String nodeId,
      List<String> parentIds,
      NodeStatus status,
      String label,
      @Nullable String kind,
      @Nullable Object input,
      Map<String, @Nullable Object> metadata,
      Place place)
      implements TraceEvent {
    @Override
    public String type() {
      return "node_start";
    }

    @Override
    public Map<String, Object> data() {
      Map<String, Object> data =
          fields("label", label, "kind", kind, "input", input, "metadata", orNull(metadata));
      data.put("parent_ids", parentIds);
      data.put("status", status.name().toLowerCase(Locale.ROOT));
      data.put("place", place.name().toLowerCase(Locale.ROOT));
      return data;
    }
  }

  /** How a new node changes which nodes are the current ones. */
  enum Place {
    /**
     * It takes the place of those of its parents that were current ones. If none was, the current
     * ones stay; if there were none at all, it is the current one.
     */
    AFTER_PARENTS,
    /** It stands beside the current ones: a further branch. */
    BESIDE
  }

  /**
   * A node was started, or got an output or metadata. What is null or empty stays as it was.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param nodeId the node
   * @param status its new status, or null
   * @param output its new output, or null
   * @param metadata what was added to its metadata
   */
  record NodeUpdated(
      String traceId,
      long sequence,
      Instant timestamp,
      String nodeId,
      @Nullable NodeStatus status,
      @Nullable Object output,
      Map<String, @Nullable Object> metadata)
      implements TraceEvent {
    @Override
    public String type() {
      return "node_updated";
    }

    @Override
    public Map<String, Object> data() {
      return fields(
          "status",
          status == null ? null : status.name().toLowerCase(Locale.ROOT),
          "output",
          output,
          "metadata",
          orNull(metadata));
    }
  }

  /**
   * A node was completed.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param nodeId the node
   * @param output its output, or null if it keeps what it had
   */
  record NodeComplete(
      String traceId, long sequence, Instant timestamp, String nodeId, @Nullable Object output)
      implements TraceEvent {
    @Override
    public String type() {
      return "node_complete";
    }

    @Override
    public Map<String, Object> data() {
      return fields("output", output);
    }
  }

  /**
   * A node has failed.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param nodeId the node
   * @param error why
   */
  record NodeFailed(
      String traceId, long sequence, Instant timestamp, String nodeId, TraceError error)
      implements TraceEvent {
    @Override
    public String type() {
      return "node_failed";
    }

    @Override
    public Map<String, Object> data() {
      return fields("error_type", error.type(), "error", error.message());
    }
  }

  /**
   * A node was skipped.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param nodeId the node
   * @param reason why, or null
   */
  record NodeSkipped(
      String traceId, long sequence, Instant timestamp, String nodeId, @Nullable String reason)
      implements TraceEvent {
    @Override
    public String type() {
      return "node_skipped";
    }

    @Override
    public Map<String, Object> data() {
      return fields("reason", reason);
    }
  }

  /**
   * A node was cancelled.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param nodeId the node
   * @param reason why, or null
   */
  record NodeCancelled(
      String traceId, long sequence, Instant timestamp, String nodeId, @Nullable String reason)
      implements TraceEvent {
    @Override
    public String type() {
      return "node_cancelled";
    }

    @Override
    public Map<String, Object> data() {
      return fields("reason", reason);
    }
  }

  /**
   * A log entry was added to a node.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param nodeId the node
   * @param level how much it matters
   * @param message the message, with {@code {}} where the arguments go
   * @param arguments the arguments
   */
  record LogAdded(
      String traceId,
      long sequence,
      Instant timestamp,
      String nodeId,
      LogLevel level,
      String message,
      List<@Nullable Object> arguments)
      implements TraceEvent {
    @Override
    public String type() {
      return "log_added";
    }

    @Override
    public Map<String, Object> data() {
      return fields(
          "level",
          level.name().toLowerCase(Locale.ROOT),
          "message",
          message,
          "arguments",
          arguments.isEmpty() ? null : arguments);
    }
  }

  /**
   * A space was created.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param spaceId the space
   * @param name what to call it
   * @param metadata what else is known about it
   */
  record SpaceCreated(
      String traceId,
      long sequence,
      Instant timestamp,
      String spaceId,
      String name,
      Map<String, @Nullable Object> metadata)
      implements TraceEvent {
    @Override
    public String type() {
      return "space_created";
    }

    @Override
    public Map<String, Object> data() {
      return fields("name", name, "metadata", orNull(metadata));
    }
  }

  /**
   * A space was deleted.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param spaceId the space
   */
  record SpaceDeleted(String traceId, long sequence, Instant timestamp, String spaceId)
      implements TraceEvent {
    @Override
    public String type() {
      return "space_deleted";
    }

    @Override
    public Map<String, Object> data() {
      return fields();
    }
  }

  /**
   * A key was added to a space.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param spaceId the space
   * @param key the key
   * @param value its value
   */
  record MemoryAdd(
      String traceId, long sequence, Instant timestamp, String spaceId, String key, Object value)
      implements TraceEvent {
    @Override
    public String type() {
      return "memory_add";
    }

    @Override
    public Map<String, Object> data() {
      return fields("key", key, "value", value);
    }
  }

  /**
   * A key of a space got another value.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param spaceId the space
   * @param key the key
   * @param value its new value
   */
  record MemoryUpdate(
      String traceId, long sequence, Instant timestamp, String spaceId, String key, Object value)
      implements TraceEvent {
    @Override
    public String type() {
      return "memory_update";
    }

    @Override
    public Map<String, Object> data() {
      return fields("key", key, "value", value);
    }
  }

  /**
   * A key was removed from a space.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param spaceId the space
   * @param key the key
   */
  record MemoryDelete(String traceId, long sequence, Instant timestamp, String spaceId, String key)
      implements TraceEvent {
    @Override
    public String type() {
      return "memory_delete";
    }

    @Override
    public Map<String, Object> data() {
      return fields("key", key);
    }
  }

  /**
   * The trace was ended. Always the last one.
   *
   * @param traceId the trace
   * @param sequence the place in the trace
   * @param timestamp the time of the call
   * @param status completed, failed or cancelled
   * @param reason why it was cancelled or has failed, or null
   */
  record Complete(
      String traceId, long sequence, Instant timestamp, TraceStatus status, @Nullable String reason)
      implements TraceEvent {
    @Override
    public String type() {
      return "complete";
    }

    @Override
    public Map<String, Object> data() {
      return fields("status", status.name().toLowerCase(Locale.ROOT), "reason", reason);
    }
  }

  /**
   * Tells one reader that events are missing, since retention has let go of them before the reader
   * came to them. It is no part of the trace.
   *
   * @param traceId the trace
   * @param firstMissing the first sequence number that is missing
   * @param sequence the last sequence number that is missing
   * @param timestamp when the reader found out
   */
  record Gap(String traceId, long firstMissing, long sequence, Instant timestamp)
      implements TraceEvent {
    @Override
    public String type() {
      return "gap";
    }

    @Override
    public Map<String, Object> data() {
      return fields("first_missing", firstMissing, "last_missing", sequence);
    }
  }

  private static Map<String, Object> fields(@Nullable Object... namesAndValues) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      if (value != null) {
        fields.put(String.valueOf(namesAndValues[i]), value);
      }
    }
    return fields;
  }

  private static @Nullable Object orNull(Map<String, @Nullable Object> metadata) {
    return metadata.isEmpty() ? null : metadata;
  }
}
