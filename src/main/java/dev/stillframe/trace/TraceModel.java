package dev.stillframe.trace;

import dev.stillframe.state.StateDelta;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the events of a trace add up to: its nodes, spaces and outcome. It changes by {@link #apply}
 * only, in the worker role; so it is the same whether its events happen or are read again.
 */
final class TraceModel {
  /** What a node or a space is called whose first event the store has lost. */
  private static final String LOST = "(lost)";

  private final Map<String, NodeState> nodes = new LinkedHashMap<>();
  private final Map<String, SpaceState> spaces = new LinkedHashMap<>();

  /** The nodes that the next one will follow, by their places. */
  private final NavigableMap<Long, NodeState> current = new TreeMap<>();

  private String traceId = "";
  private @Nullable String createdBy;
  private Map<String, @Nullable Object> metadata = Map.of();
  private Instant createdAt = Instant.EPOCH;

  /**
   * Written in the worker role, read by anybody.
   *
   * <pre>
   *  RUNNING      to  INTERRUPTED                    it was released, or loaded
   *  INTERRUPTED  to  RUNNING                        it was loaded, and goes on
   *  both         to  COMPLETED, FAILED, CANCELLED   which are final
   * </pre>
   */
  private volatile TraceStatus status = TraceStatus.RUNNING;

  private @Nullable String reason;
  private @Nullable Instant endedAt;
  private long lastSequence;
  private long nodesNamed;
  private long spacesNamed;

  void apply(TraceEvent event) {
    goOn(event);
    if (event instanceof TraceEvent.LogAdded) {
      return; // first, since it is by far the most frequent one
    }
    if (event instanceof TraceEvent.NodeStart start) {
      start(start);
    } else if (event instanceof TraceEvent.NodeUpdated updated) {
      node(updated.nodeId()).update(updated);
    } else if (event instanceof TraceEvent.NodeComplete complete) {
      node(complete.nodeId()).complete(complete);
    } else if (event instanceof TraceEvent.NodeFailed failed) {
      node(failed.nodeId()).fail(failed);
    } else if (event instanceof TraceEvent.NodeSkipped skipped) {
      node(skipped.nodeId()).skip(skipped);
    } else if (event instanceof TraceEvent.NodeCancelled cancelled) {
      node(cancelled.nodeId()).cancel(cancelled);
    } else if (event instanceof TraceEvent.SpaceCreated created) {
      spaces.put(created.spaceId(), new SpaceState(created));
      spacesNamed = Math.max(spacesNamed, numberOf(created.spaceId()));
    } else if (event instanceof TraceEvent.SpaceDeleted deleted) {
      SpaceState space = spaces.remove(deleted.spaceId());
      if (space != null) {
        space.delete();
      }
    } else if (event instanceof TraceEvent.MemoryAdd add) {
      space(add.spaceId()).apply(StateDelta.builder().set(add.key(), add.value()).build());
    } else if (event instanceof TraceEvent.MemoryUpdate update) {
      space(update.spaceId()).apply(StateDelta.builder().set(update.key(), update.value()).build());
    } else if (event instanceof TraceEvent.MemoryDelete delete) {
      space(delete.spaceId()).apply(StateDelta.builder().remove(delete.key()).build());
    } else if (event instanceof TraceEvent.Init init) {
      traceId = init.traceId();
      createdBy = init.createdBy();
      metadata = init.metadata();
      createdAt = init.timestamp();
    } else if (event instanceof TraceEvent.Complete complete) {
      status = complete.status();
      reason = complete.reason();
      endedAt = complete.timestamp();
    }
  }

  /** Notes an event whose effect on a space has been made already, with others at one instant. */
  void applied(TraceEvent memoryEvent) {
    goOn(memoryEvent);
  }

  private void goOn(TraceEvent event) {
    lastSequence = event.sequence();
    if (status == TraceStatus.INTERRUPTED) {
      status = TraceStatus.RUNNING;
    }
  }

  /**
   * Applies an event that was stored. What it refers to, and the store has lost, is there
   * afterwards, without what was known of it: so the ids are not given to something else.
   */
  void restore(TraceEvent event) {
    traceId = event.traceId();
    if (event instanceof TraceEvent.NodeStart start) {
      start.parentIds().forEach(parent -> restoreNode(parent, start));
    } else if (event.nodeId() != null) {
      restoreNode(event.nodeId(), event);
    } else if (event.spaceId() != null
        && !(event instanceof TraceEvent.SpaceCreated)
        && !spaces.containsKey(event.spaceId())) {
      spaces.put(
          event.spaceId(),
          new SpaceState(
              new TraceEvent.SpaceCreated(
                  traceId, event.sequence(), event.timestamp(), event.spaceId(), LOST, Map.of())));
    }
    apply(event);
  }

  private void restoreNode(String nodeId, TraceEvent event) {
    if (!nodes.containsKey(nodeId)) {
      TraceEvent.NodeStart start =
          new TraceEvent.NodeStart(
              traceId,
              event.sequence(),
              event.timestamp(),
              nodeId,
              List.of(),
              NodeStatus.RUNNING,
              LOST,
              null,
              null,
              Map.of(),
              TraceEvent.Place.BESIDE);
      nodes.put(nodeId, new NodeState(start, List.of()));
    }
  }

  private void start(TraceEvent.NodeStart start) {
    List<NodeState> parents = start.parentIds().stream().map(this::node).toList();
    NodeState node = new NodeState(start, parents);
    nodes.put(node.id, node);
    if (start.place() == TraceEvent.Place.BESIDE || current.isEmpty()) {
      putCurrent(current.isEmpty() ? 0 : current.lastKey() + 1, node);
    } else {
      replaceParents(node, parents);
    }
  }

  /** Puts a node in the first place that one of its parents has; the others leave theirs. */
  private void replaceParents(NodeState node, List<NodeState> parents) {
    long first = Long.MAX_VALUE;
    for (NodeState parent : parents) {
      if (parent.place != NodeState.NOWHERE) {
        first = Math.min(first, parent.place);
        current.remove(parent.place);
        parent.place = NodeState.NOWHERE;
      }
    }
    if (first != Long.MAX_VALUE) {
      putCurrent(first, node);
    }
  }

  private void putCurrent(long place, NodeState node) {
    node.place = place;
    current.put(place, node);
  }

  /** Notes that the trace was released, or loaded; if it has no outcome, it is interrupted. */
  void interrupted() {
    if (status == TraceStatus.RUNNING) {
      status = TraceStatus.INTERRUPTED;
    }
  }

  TraceStatus status() {
    return status;
  }

  @Nullable NodeState find(String nodeId) {
    return nodes.get(nodeId);
  }

  NodeState node(String nodeId) {
    NodeState node = nodes.get(nodeId);
    if (node == null) {
      throw new IllegalArgumentException(
          "A node must be one of trace '" + traceId + "'; '" + nodeId + "' is not");
    }
    return node;
  }

  Iterable<NodeState> nodes() {
    return nodes.values();
  }

  List<NodeState> current() {
    return List.copyOf(current.values());
  }

  /** Returns an id that no node has. */
  String nextNodeId() {
    String id;
    do {
      id = "n" + ++nodesNamed;
    } while (nodes.containsKey(id));
    return id;
  }

  @Nullable SpaceState findSpace(String spaceId) {
    return spaces.get(spaceId);
  }

  SpaceState space(String spaceId) {
    SpaceState space = spaces.get(spaceId);
    if (space == null) {
      throw new IllegalArgumentException(
          "A space must be one of trace '" + traceId + "'; '" + spaceId + "' is not");
    }
    return space;
  }

  /** Returns the number in an id that {@link #nextSpaceId} has given, or 0. */
  private static long numberOf(String spaceId) {
    try {
      return spaceId.startsWith("s") ? Long.parseLong(spaceId.substring(1)) : 0;
    } catch (NumberFormatException chosen) {
      return 0;
    }
  }

  /** Returns an id that no space has had, those included that are deleted. */
  String nextSpaceId() {
    String id;
    do {
      id = "s" + ++spacesNamed;
    } while (spaces.containsKey(id));
    return id;
  }

  List<NodeSnapshot> nodeSnapshots() {
    return nodes.values().stream().map(NodeState::snapshot).toList();
  }

  List<NodeSnapshot> currentSnapshots() {
    return current.values().stream().map(NodeState::snapshot).toList();
  }

  @Nullable NodeSnapshot rootSnapshot() {
    return nodes.isEmpty() ? null : nodes.values().iterator().next().snapshot();
  }

  List<SpaceSnapshot> spaceSnapshots() {
    return spaces.values().stream().map(SpaceState::snapshot).toList();
  }

  TraceSnapshot snapshot() {
    return new TraceSnapshot(
        traceId,
        createdBy,
        metadata,
        status,
        reason,
        createdAt,
        endedAt,
        lastSequence,
        nodeSnapshots(),
        current.values().stream().map(node -> node.id).toList(),
        spaceSnapshots());
  }
}
