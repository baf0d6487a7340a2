package dev.stillframe.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a node at one instant.
 *
 * @param id its id
 * @param label what it is called
 * @param kind what kind of step it is, or null
 * @param status its status
 * @param parentIds the nodes that it follows
 * @param childIds the nodes that follow it, in the order in which they were added
 * @param input its input, or null
 * @param output its output, or null
 * @param metadata what else is known about it
 * @param error why it has failed, or null
 * @param reason why it was skipped or cancelled, or null
 * @param createdAt when it was added
 * @param startedAt when it was started, or null
 * @param endedAt when it ended, or null
 */
public record NodeSnapshot(
    String id,
    String label,
    @Nullable String kind,
    NodeStatus status,
    List<String> parentIds,
    List<String> childIds,
    @Nullable Object input,
    @Nullable Object output,
    Map<String, @Nullable Object> metadata,
    @Nullable TraceError error,
    @Nullable String reason,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt) {

  /**
   * Returns how long it ran.
   *
   * @return the time from its start to its end, or null if it has not been started or has not ended
   */
  public @Nullable Duration duration() {
    return startedAt == null || endedAt == null ? null : Duration.between(startedAt, endedAt);
  }
}
