package dev.stillframe.trace;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import dev.stillframe.state.StateSnapshot;
import dev.stillframe.state.WriteGate;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The space that a user has. It reads the values where they are; each write is worked out on the
 * calling thread and made by a command of the trace.
 */
final class SpaceHandle implements TraceSpace {
  private final TraceEngine engine;
  private final SpaceState space;
  private final SessionState values;

  SpaceHandle(TraceEngine engine, SpaceState space) {
    this.engine = engine;
    this.space = space;
    values = SessionState.gated(space.values, this::make);
  }

  private boolean make(WriteGate.Write write) {
    Map<String, Object> shown = shown(write.changes());
    Instant at = engine.now();
    return engine.change(() -> SpaceCommands.write(engine, at, space, write, shown));
  }

  /** A write that would change nothing passes no gate, but is refused after the close as others. */
  private SessionState writable() {
    engine.requireOpen();
    return values;
  }

  /** Returns what events show of the values of a delta. */
  private Map<String, Object> shown(StateDelta delta) {
    Map<String, Object> shown = new HashMap<>();
    delta
        .asMap()
        .forEach(
            (key, value) -> {
              if (value != null) {
                Object kept = engine.options.redactor.redactAll(key, key, Data.freeze(key, value));
                shown.put(key, kept == null ? Redactor.MASK : kept);
              }
            });
    return shown;
  }

  @Override
  public String id() {
    return space.id;
  }

  @Override
  public String name() {
    return space.name;
  }

  @Override
  public boolean delete() {
    Instant at = engine.now();
    return engine.change(() -> SpaceCommands.delete(engine, at, space));
  }

  @Override
  public @Nullable Object get(String key) {
    return values.get(key);
  }

  @Override
  public StateSnapshot all() {
    return values.all();
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    return writable().set(key, value);
  }

  @Override
  public @Nullable Object setIfAbsent(String key, Object value) {
    return writable().setIfAbsent(key, value);
  }

  @Override
  public @Nullable Object computeIfAbsent(
      String key, Function<? super String, ? extends @Nullable Object> function) {
    return writable().computeIfAbsent(key, function);
  }

  @Override
  public boolean replace(String key, Object expected, Object value) {
    return writable().replace(key, expected, value);
  }

  @Override
  public @Nullable Object update(String key, UnaryOperator<@Nullable Object> function) {
    return writable().update(key, function);
  }

  @Override
  public @Nullable Object remove(String key) {
    return writable().remove(key);
  }

  @Override
  public boolean remove(String key, Object expected) {
    return writable().remove(key, expected);
  }

  @Override
  public void clear() {
    writable().clear();
  }

  @Override
  public void apply(StateDelta delta) {
    writable().apply(delta);
  }

  @Override
  public ConcurrentMap<String, Object> asMap() {
    return values.asMap();
  }

  @Override
  public StateDraft draft() {
    return values.draft();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
