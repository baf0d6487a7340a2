package dev.stillframe.trace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the commands on nodes do. All of it runs in the worker role, and is refused or done whole.
 */
final class TreeCommands {
  private TreeCommands() {}

  /** A node to add, with copies of what the caller gave. */
  record Addition(
      NodeOptions options, @Nullable Object input, Map<String, @Nullable Object> metadata) {}

  /**
   * Adds nodes side by side.
   *
   * @param parents the nodes that they follow, or null for the current ones
   * @param branches whether they are nodes of branches: those may get followers while they run, but
   *     are not completed by that
   */
  static List<NodeState> add(
      TraceEngine engine,
      Instant at,
      @Nullable List<NodeState> parents,
      List<Addition> additions,
      boolean branches) {
    TraceModel model = engine.model();
    requireNewIds(engine, additions);
    List<NodeState> followed = parents == null ? model.current() : parents;
    if (additions.stream().noneMatch(addition -> addition.options().parentsStayOpen)) {
      for (NodeState parent : followed) {
        if (parent.status() == NodeStatus.RUNNING && !parent.isBranch()) {
          complete(engine, at, parent, null);
        }
      }
    }
    List<String> parentIds = followed.stream().map(node -> node.id).toList();
    List<NodeState> added = new ArrayList<>(additions.size());
    for (Addition addition : additions) {
      NodeOptions options = addition.options();
      String id = options.id == null ? model.nextNodeId() : options.id;
      engine.emit(
          new TraceEvent.NodeStart(
              engine.id,
              engine.nextSequence(),
              at,
              id,
              parentIds,
              options.pending ? NodeStatus.PENDING : NodeStatus.RUNNING,
              options.label,
              options.kind,
              addition.input(),
              addition.metadata(),
              added.isEmpty() ? TraceEvent.Place.AFTER_PARENTS : TraceEvent.Place.BESIDE));
      NodeState node = model.node(id);
      if (branches) {
        node.setBranch();
      }
      added.add(node);
    }
    return List.copyOf(added);
  }

  private static void requireNewIds(TraceEngine engine, List<Addition> additions) {
    Set<String> chosen = new HashSet<>();
    for (Addition addition : additions) {
      String id = addition.options().id;
      if (id != null && (engine.model().find(id) != null || !chosen.add(id))) {
        throw new IllegalArgumentException(
            "A node id must be used once only in trace '" + engine.id + "'; '" + id + "' is used");
      }
    }
  }

  static boolean start(TraceEngine engine, Instant at, NodeState node) {
    if (node.status() != NodeStatus.PENDING) {
      return false;
    }
    engine.emit(
        new TraceEvent.NodeUpdated(
            engine.id, engine.nextSequence(), at, node.id, NodeStatus.RUNNING, null, Map.of()));
    return true;
  }

  static void update(
      TraceEngine engine,
      Instant at,
      NodeState node,
      @Nullable Object output,
      Map<String, @Nullable Object> metadata) {
    if (node.isOpen()) {
      engine.emit(
          new TraceEvent.NodeUpdated(
              engine.id, engine.nextSequence(), at, node.id, null, output, metadata));
    }
  }

  static void complete(TraceEngine engine, Instant at, NodeState node, @Nullable Object output) {
    engine.emit(new TraceEvent.NodeComplete(engine.id, engine.nextSequence(), at, node.id, output));
  }

  /** Ends a node by an event, unless it has ended. */
  static boolean end(TraceEngine engine, NodeState node, Function<Long, TraceEvent> event) {
    if (!node.isOpen()) {
      return false;
    }
    engine.emit(event.apply(engine.nextSequence()));
    return true;
  }

  /**
   * Cancels a node and all that follow it and no other node, as far as they are open; they may be
   * thousands deep.
   */
  static boolean cancelTree(
      TraceEngine engine, Instant at, NodeState node, @Nullable String reason) {
    boolean open = node.isOpen();
    List<NodeState> found = new ArrayList<>(List.of(node));
    Map<NodeState, Integer> otherParents = new HashMap<>();
    for (int i = 0; i < found.size(); i++) {
      NodeState next = found.get(i);
      cancel(engine, at, next, reason);
      for (NodeState child : next.children()) {
        int parents = child.parentCount();
        if (otherParents.merge(child, parents - 1, (left, unused) -> left - 1) == 0) {
          found.add(child);
        }
      }
    }
    return open;
  }

  private static void cancel(
      TraceEngine engine, Instant at, NodeState node, @Nullable String reason) {
    if (node.isOpen()) {
      engine.emit(
          new TraceEvent.NodeCancelled(engine.id, engine.nextSequence(), at, node.id, reason));
    }
  }

  /** Ends all open nodes as the outcome of the trace asks for. */
  static void endAll(TraceEngine engine, Instant at, TraceStatus outcome, @Nullable String reason) {
    for (NodeState node : engine.model().nodes()) {
      if (outcome != TraceStatus.COMPLETED) {
        cancel(engine, at, node, reason);
      } else if (node.status() == NodeStatus.RUNNING) {
        complete(engine, at, node, null);
      } else if (node.status() == NodeStatus.PENDING) {
        engine.emit(
            new TraceEvent.NodeSkipped(engine.id, engine.nextSequence(), at, node.id, null));
      }
    }
  }
}
