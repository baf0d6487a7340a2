package dev.stillframe.trace;

import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import dev.stillframe.state.StateSnapshot;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the commands on spaces do. All of it runs in the worker role, and is refused or done whole.
 */
final class SpaceCommands {
  private SpaceCommands() {}

  static SpaceState create(
      TraceEngine engine,
      Instant at,
      @Nullable String id,
      String name,
      Map<String, @Nullable Object> metadata) {
    TraceModel model = engine.model();
    if (id != null && model.findSpace(id) != null) {
      throw new IllegalArgumentException(
          "A space id must be used once only in trace '" + engine.id + "'; '" + id + "' is used");
    }
    String chosen = id == null ? model.nextSpaceId() : id;
    engine.emit(
        new TraceEvent.SpaceCreated(engine.id, engine.nextSequence(), at, chosen, name, metadata));
    return model.space(chosen);
  }

  static boolean delete(TraceEngine engine, Instant at, SpaceState space) {
    if (space.isDeleted()) {
      return false;
    }
    engine.emit(new TraceEvent.SpaceDeleted(engine.id, engine.nextSequence(), at, space.id));
    return true;
  }

  /**
   * Makes changes at one instant.
   *
   * @param shown what events show of the new values
   * @return what was there, as far as it was
   */
  static Map<String, Object> apply(
      TraceEngine engine,
      Instant at,
      SpaceState space,
      StateDelta delta,
      Map<String, Object> shown) {
    requireThere(space);
    Map<String, Object> before = new HashMap<>();
    for (String key : delta.asMap().keySet()) {
      Object old = space.values.get(key);
      if (old != null) {
        before.put(key, old);
      }
    }
    space.apply(delta);
    record(engine, at, space, delta.asMap(), before, shown);
    return before;
  }

  static boolean applyIf(
      TraceEngine engine,
      Instant at,
      SpaceState space,
      String key,
      long stamp,
      StateDelta delta,
      Map<String, Object> shown) {
    if (space.stamp(key) != stamp) {
      return false;
    }
    apply(engine, at, space, delta, shown);
    return true;
  }

  static Map<String, Object> clear(TraceEngine engine, Instant at, SpaceState space) {
    StateDelta.Builder removals = StateDelta.builder();
    space.values.keys().forEach(removals::remove);
    return apply(engine, at, space, removals.build(), Map.of());
  }

  /** Commits a draft of the values. If it throws, nothing has changed. */
  static boolean commit(
      TraceEngine engine,
      Instant at,
      SpaceState space,
      StateDraft draft,
      StateDraft.@Nullable Merge merge,
      Map<String, Object> shown) {
    requireThere(space);
    StateSnapshot before = space.values.all();
    if (merge == null) {
      draft.commit();
    } else {
      draft.commit(merge);
    }
    Map<String, @Nullable Object> changed = space.values.all().deltaFrom(before).asMap();
    space.stamp(changed);
    record(engine, at, space, changed, before.asMap(), shown);
    return true;
  }

  private static void requireThere(SpaceState space) {
    if (space.isDeleted()) {
      throw new IllegalStateException(
          "A space must not be written once it is deleted; '" + space.id + "' is");
    }
  }

  private static void record(
      TraceEngine engine,
      Instant at,
      SpaceState space,
      Map<String, @Nullable Object> changed,
      Map<String, Object> before,
      Map<String, Object> shown) {
    changed.forEach(
        (key, value) -> {
          long sequence = engine.nextSequence();
          boolean wasThere = before.get(key) != null;
          if (value != null) {
            Object shows = shown.getOrDefault(key, Redactor.MASK);
            engine.record(
                wasThere
                    ? new TraceEvent.MemoryUpdate(engine.id, sequence, at, space.id, key, shows)
                    : new TraceEvent.MemoryAdd(engine.id, sequence, at, space.id, key, shows));
          } else if (wasThere) {
            engine.record(new TraceEvent.MemoryDelete(engine.id, sequence, at, space.id, key));
          }
        });
  }
}
