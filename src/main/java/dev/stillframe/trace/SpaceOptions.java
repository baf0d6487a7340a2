package dev.stillframe.trace;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a new space is called. Immutable; each method returns a changed copy. */
public final class SpaceOptions {
  final String name;
  final @Nullable String id;
  final Map<String, @Nullable Object> metadata;

  private SpaceOptions(String name, @Nullable String id, Map<String, @Nullable Object> metadata) {
    this.name = name;
    this.id = id;
    this.metadata = metadata;
  }

  /**
   * Returns options with a name, an id by the trace, and no metadata.
   *
   * @param name what to call the space
   * @return the options
   */
  public static SpaceOptions name(String name) {
    return new SpaceOptions(Objects.requireNonNull(name, "name"), null, Map.of());
  }

  /**
   * Chooses the id of the space. Creating it throws {@link IllegalArgumentException} if the trace
   * has a space with this id. Default: {@code s1}, {@code s2} and so on.
   *
   * @param id the id
   * @return a changed copy
   * @throws IllegalArgumentException if it is empty
   */
  public SpaceOptions id(String id) {
    if (Objects.requireNonNull(id, "id").isEmpty()) {
      throw new IllegalArgumentException("The id of a space must not be empty");
    }
    return new SpaceOptions(name, id, metadata);
  }

  /**
   * Says what else is known about the space.
   *
   * @param metadata anything; copied deeply
   * @return a changed copy
   */
  public SpaceOptions metadata(Map<String, ? extends @Nullable Object> metadata) {
    return new SpaceOptions(name, id, Data.freezeMap("metadata", metadata));
  }
}
