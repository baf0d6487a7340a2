package dev.stillframe.trace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a trace knows of a node. The worker role's, apart from what is final or volatile. */
final class NodeState {
  static final long NOWHERE = -1;

  final String id;
  final String label;
  private final @Nullable String kind;
  private final List<NodeState> parents;
  private final @Nullable Object input;
  private final Instant createdAt;

  /**
   * Written in the worker role, read by anybody.
   *
   * <pre>
   *  PENDING           to  RUNNING
   *  PENDING, RUNNING  to  COMPLETED, FAILED, SKIPPED, CANCELLED, all of which are final
   * </pre>
   */
  private volatile NodeStatus status;

  private List<NodeState> children = List.of();
  private Map<String, @Nullable Object> metadata;
  private @Nullable Object output;
  private @Nullable Instant startedAt;
  private @Nullable Instant endedAt;
  private @Nullable TraceError error;
  private @Nullable String reason;

  /** Its place among the nodes that the next one will follow, or {@link #NOWHERE}. */
  long place = NOWHERE;

  /** From false to true, as it is added. A loaded one is no branch: nobody runs it any more. */
  private boolean branch;

  NodeState(TraceEvent.NodeStart start, List<NodeState> parents) {
    id = start.nodeId();
    label = start.label();
    kind = start.kind();
    input = start.input();
    metadata = start.metadata();
    createdAt = start.timestamp();
    status = start.status();
    startedAt = status == NodeStatus.RUNNING ? createdAt : null;
    this.parents = parents;
    parents.forEach(parent -> parent.addChild(this));
  }

  private void addChild(NodeState child) {
    if (children.isEmpty()) {
      children = new ArrayList<>(1);
    }
    children.add(child);
  }

  /** Tells whether it is the node of a branch, which ends it. */
  boolean isBranch() {
    return branch;
  }

  void setBranch() {
    branch = true;
  }

  int parentCount() {
    return parents.size();
  }

  NodeStatus status() {
    return status;
  }

  boolean isOpen() {
    return !status.isFinal();
  }

  List<NodeState> children() {
    return children;
  }

  void update(TraceEvent.NodeUpdated updated) {
    if (updated.status() == NodeStatus.RUNNING) {
      status = NodeStatus.RUNNING;
      startedAt = updated.timestamp();
    }
    if (updated.output() != null) {
      output = updated.output();
    }
    if (!updated.metadata().isEmpty()) {
      Map<String, @Nullable Object> merged = new LinkedHashMap<>(metadata);
      merged.putAll(updated.metadata());
      metadata = java.util.Collections.unmodifiableMap(merged);
    }
  }

  void complete(TraceEvent.NodeComplete complete) {
    if (complete.output() != null) {
      output = complete.output();
    }
    end(NodeStatus.COMPLETED, complete.timestamp());
  }

  void fail(TraceEvent.NodeFailed failed) {
    error = failed.error();
    end(NodeStatus.FAILED, failed.timestamp());
  }

  void skip(TraceEvent.NodeSkipped skipped) {
    reason = skipped.reason();
    end(NodeStatus.SKIPPED, skipped.timestamp());
  }

  void cancel(TraceEvent.NodeCancelled cancelled) {
    reason = cancelled.reason();
    end(NodeStatus.CANCELLED, cancelled.timestamp());
  }

  private void end(NodeStatus end, Instant at) {
    endedAt = at;
    status = end;
  }

  NodeSnapshot snapshot() {
    return new NodeSnapshot(
        id,
        label,
        kind,
        status,
        ids(parents),
        ids(children),
        input,
        output,
        metadata,
        error,
        reason,
        createdAt,
        startedAt,
        endedAt);
  }

  private static List<String> ids(List<NodeState> nodes) {
    return nodes.stream().map(node -> node.id).toList();
  }
}
