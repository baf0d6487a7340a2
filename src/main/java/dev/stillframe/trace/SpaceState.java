package dev.stillframe.trace;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trace knows of a space. It is written in the worker role, one change at a time; its values
 * are read by anybody, since a session state needs no lock.
 */
final class SpaceState {
  final String id;
  final String name;
  private final Map<String, @Nullable Object> metadata;
  final SessionState values = SessionState.create();

  /** False to true. */
  private volatile boolean deleted;

  SpaceState(TraceEvent.SpaceCreated created) {
    id = created.spaceId();
    name = created.name();
    metadata = created.metadata();
  }

  boolean isDeleted() {
    return deleted;
  }

  void delete() {
    deleted = true;
  }

  /** Makes a change that an event tells of. */
  void apply(StateDelta delta) {
    values.apply(delta);
  }

  SpaceSnapshot snapshot() {
    return new SpaceSnapshot(id, name, metadata, values.all());
  }
}
