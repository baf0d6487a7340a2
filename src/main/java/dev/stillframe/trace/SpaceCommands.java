package dev.stillframe.trace;

import dev.stillframe.state.WriteGate;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
   * Makes a write, whose values are there at one instant, and records it as one event for each key.
   * The values come first: who has seen an event finds its value, or a newer one.
   *
   * @param shown what events show of the new values
   * @return false if the write must be worked out anew; nothing has changed then
   */
  static boolean write(
      TraceEngine engine,
      Instant at,
      SpaceState space,
      WriteGate.Write write,
      Map<String, Object> shown) {
    if (space.isDeleted()) {
      throw new IllegalStateException(
          "A space must not be written once it is deleted; '" + space.id + "' is");
    }
    Map<String, @Nullable Object> changes = write.changes().asMap();
    Set<String> present = new HashSet<>();
    for (String key : changes.keySet()) {
      if (space.values.contains(key)) {
        present.add(key);
      }
    }
    if (!write.make()) {
      return false;
    }
    for (String key : changes.keySet()) {
      record(engine, at, space, key, present.contains(key), shown.get(key));
    }
    return true;
  }

  /** Records what became of a key; {@code shows} is null if it was removed. */
  private static void record(
      TraceEngine engine,
      Instant at,
      SpaceState space,
      String key,
      boolean wasThere,
      @Nullable Object shows) {
    long sequence = engine.nextSequence();
    if (shows != null && wasThere) {
      engine.record(new TraceEvent.MemoryUpdate(engine.id, sequence, at, space.id, key, shows));
    } else if (shows != null) {
      engine.record(new TraceEvent.MemoryAdd(engine.id, sequence, at, space.id, key, shows));
    } else if (wasThere) {
      engine.record(new TraceEvent.MemoryDelete(engine.id, sequence, at, space.id, key));
    }
  }
}
