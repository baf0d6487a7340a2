package dev.stillframe.trace;

import dev.stillframe.state.StateSnapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a space at one instant.
 *
 * @param id its id
 * @param name what it is called
 * @param metadata what else is known about it
 * @param values what it holds
 */
public record SpaceSnapshot(
    String id, String name, Map<String, @Nullable Object> metadata, StateSnapshot values) {}
