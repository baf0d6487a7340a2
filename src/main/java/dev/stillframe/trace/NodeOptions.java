package dev.stillframe.trace;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a new node is called, and how it is added. Immutable; each method returns a changed copy.
 */
public final class NodeOptions {
  private static final NodeOptions DEFAULTS =
      new NodeOptions("", null, null, Map.of(), false, false);

  final String label;
  final @Nullable String kind;
  final @Nullable String id;
  final Map<String, @Nullable Object> metadata;
  final boolean pending;
  final boolean parentsStayOpen;

  private NodeOptions(
      String label,
      @Nullable String kind,
      @Nullable String id,
      Map<String, @Nullable Object> metadata,
      boolean pending,
      boolean parentsStayOpen) {
    this.label = label;
    this.kind = kind;
    this.id = id;
    this.metadata = metadata;
    this.pending = pending;
    this.parentsStayOpen = parentsStayOpen;
  }

  /**
   * Returns the defaults: an empty label, an id by the trace, running at once, and running parents
   * are completed first.
   *
   * @return the defaults
   */
  public static NodeOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns the defaults with a label.
   *
   * @param label what to call the node
   * @return the options
   */
  public static NodeOptions label(String label) {
    Objects.requireNonNull(label, "label");
    return new NodeOptions(label, null, null, Map.of(), false, false);
  }

  /**
   * Says what kind of step the node is.
   *
   * @param kind any text, such as {@code tool}
   * @return a changed copy
   */
  public NodeOptions kind(String kind) {
    Objects.requireNonNull(kind, "kind");
    return new NodeOptions(label, kind, id, metadata, pending, parentsStayOpen);
  }

  /**
   * Chooses the id of the node. Adding it throws {@link IllegalArgumentException} if the trace has
   * a node with this id. Default: {@code n1}, {@code n2} and so on.
   *
   * @param id the id
   * @return a changed copy
   * @throws IllegalArgumentException if it is empty
   */
  public NodeOptions id(String id) {
    if (Objects.requireNonNull(id, "id").isEmpty()) {
      throw new IllegalArgumentException("The id of a node must not be empty");
    }
    return new NodeOptions(label, kind, id, metadata, pending, parentsStayOpen);
  }

  /**
   * Says what else is known about the node.
   *
   * @param metadata anything; copied deeply
   * @return a changed copy
   */
  public NodeOptions metadata(Map<String, ? extends @Nullable Object> metadata) {
    Map<String, @Nullable Object> frozen = Data.freezeMap("metadata", metadata);
    return new NodeOptions(label, kind, id, frozen, pending, parentsStayOpen);
  }

  /**
   * Adds the node as pending; {@link TraceNode#start()} starts it. Default: it runs at once.
   *
   * @return a changed copy
   */
  public NodeOptions pending() {
    return new NodeOptions(label, kind, id, metadata, true, parentsStayOpen);
  }

  /**
   * Leaves the parents as they are. Default: running parents are completed first.
   *
   * @return a changed copy
   */
  public NodeOptions keepParentsOpen() {
    return new NodeOptions(label, kind, id, metadata, pending, true);
  }
}
