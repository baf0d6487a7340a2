package dev.stillframe.trace;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  /**
   * The number of the change that wrote a key last, for present keys. A value is written before its
   * stamp: who reads the stamp and then the value has a value that is no older than the stamp, so
   * that a change on the condition of that stamp is never based on an outdated value.
   */
  private final Map<String, Long> stamps = new ConcurrentHashMap<>();

  /** The worker role's. */
  private long changes;

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

  /** Returns the stamp of a key; 0 if it is absent. */
  long stamp(String key) {
    return stamps.getOrDefault(key, 0L);
  }

  /** Makes changes at one instant. */
  void apply(StateDelta delta) {
    values.apply(delta);
    stamp(delta.asMap());
  }

  /** Notes changes that were made at one instant: values by key, null for a removal. */
  void stamp(Map<String, @Nullable Object> changed) {
    changes++;
    changed.forEach(
        (key, value) -> {
          if (value == null) {
            stamps.remove(key);
          } else {
            stamps.put(key, changes);
          }
        });
  }

  SpaceSnapshot snapshot() {
    return new SpaceSnapshot(id, name, metadata, values.all());
  }
}
