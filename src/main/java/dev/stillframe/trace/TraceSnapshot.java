package dev.stillframe.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a trace at one instant. It is immutable and keeps no hold on the trace.
 *
 * @param id the id of the trace
 * @param createdBy who opened it, or null
 * @param metadata what the opener said about it
 * @param status its status
 * @param reason why it was cancelled or has failed, or null
 * @param createdAt when it was opened
 * @param endedAt when it was ended, or null
 * @param sequence the number of the last event before the picture was taken
 * @param nodes its nodes, in the order in which they were added
 * @param currentIds the nodes that the next one will follow
 * @param spaces its spaces, in the order in which they were created
 */
public record TraceSnapshot(
    String id,
    @Nullable String createdBy,
    Map<String, @Nullable Object> metadata,
    TraceStatus status,
    @Nullable String reason,
    Instant createdAt,
    @Nullable Instant endedAt,
    long sequence,
    List<NodeSnapshot> nodes,
    List<String> currentIds,
    List<SpaceSnapshot> spaces) {

  /**
   * Returns how long the trace ran.
   *
   * @return the time from its opening to its end, or null if it has not been ended
   */
  public @Nullable Duration duration() {
    return endedAt == null ? null : Duration.between(createdAt, endedAt);
  }
}
