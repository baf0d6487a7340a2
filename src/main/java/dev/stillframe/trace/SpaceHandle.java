package dev.stillframe.trace;

import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import dev.stillframe.state.StateSnapshot;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The space that a user has. It reads the values where they are; it writes by commands. A write
 * that depends on what is there (a function of it, a comparison) is worked out on the calling
 * thread, and done on the condition that the key still has the stamp that it had before it was
 * read; if not, somebody else has written the key, and it is worked out anew.
 */
final class SpaceHandle implements TraceSpace {
  private final TraceEngine engine;
  private final SpaceState state;

  SpaceHandle(TraceEngine engine, SpaceState state) {
    this.engine = engine;
    this.state = state;
  }

  @Override
  public String id() {
    return state.id;
  }

  @Override
  public String name() {
    return state.name;
  }

  @Override
  public boolean delete() {
    Instant at = engine.now();
    return engine.change(() -> SpaceCommands.delete(engine, at, state));
  }

  @Override
  public @Nullable Object get(String key) {
    return state.values.get(key);
  }

  @Override
  public StateSnapshot all() {
    return state.values.all();
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    return change(StateDelta.builder().set(key, value).build()).get(key);
  }

  @Override
  public @Nullable Object remove(String key) {
    return change(StateDelta.builder().remove(key).build()).get(key);
  }

  @Override
  public void apply(StateDelta delta) {
    if (!delta.isEmpty()) {
      change(delta);
    }
  }

  @Override
  public void clear() {
    Instant at = engine.now();
    engine.change(() -> SpaceCommands.clear(engine, at, state));
  }

  /** Makes changes, and returns what was there. */
  private Map<String, Object> change(StateDelta delta) {
    Map<String, Object> shown = shown(engine, delta);
    Instant at = engine.now();
    return engine.change(() -> SpaceCommands.apply(engine, at, state, delta, shown));
  }

  /** Sets a key, or removes it, if nobody has written it since a stamp was read. */
  private boolean changeIf(String key, long stamp, StateDelta delta) {
    Map<String, Object> shown = shown(engine, delta);
    Instant at = engine.now();
    return engine.change(() -> SpaceCommands.applyIf(engine, at, state, key, stamp, delta, shown));
  }

  private static StateDelta delta(String key, @Nullable Object value) {
    StateDelta.Builder builder = StateDelta.builder();
    return value == null ? builder.remove(key).build() : builder.set(key, value).build();
  }

  @Override
  public @Nullable Object setIfAbsent(String key, Object value) {
    StateDelta delta = StateDelta.builder().set(key, value).build();
    for (; ; ) {
      Object there = get(key);
      if (there != null || changeIf(key, 0, delta)) {
        return there;
      }
    }
  }

  @Override
  public @Nullable Object computeIfAbsent(
      String key, Function<? super String, ? extends @Nullable Object> function) {
    Objects.requireNonNull(function, "function");
    Object there = get(key);
    if (there != null) {
      return there;
    }
    Object value = function.apply(key);
    if (value == null) {
      return null;
    }
    StateDelta delta = delta(key, value);
    Object first = setIfAbsent(key, value);
    return first == null ? delta.asMap().get(key) : first;
  }

  @Override
  public boolean replace(String key, Object expected, Object value) {
    return exchange(key, expected, StateDelta.builder().set(key, value).build());
  }

  @Override
  public boolean remove(String key, Object expected) {
    return exchange(key, expected, delta(key, null));
  }

  private boolean exchange(String key, Object expected, StateDelta delta) {
    Objects.requireNonNull(expected, "expected");
    for (; ; ) {
      long stamp = state.stamp(key);
      Object there = get(key);
      if (there == null || !Objects.deepEquals(there, expected)) {
        return false;
      }
      if (changeIf(key, stamp, delta)) {
        return true;
      }
    }
  }

  @Override
  public @Nullable Object update(String key, UnaryOperator<@Nullable Object> function) {
    Objects.requireNonNull(function, "function");
    for (; ; ) {
      long stamp = state.stamp(key);
      StateDelta delta = delta(key, function.apply(get(key)));
      if (changeIf(key, stamp, delta)) {
        return delta.asMap().get(key);
      }
    }
  }

  @Override
  public StateDraft draft() {
    return new SpaceDraft(engine, state, state.values.draft());
  }

  /** Returns what events show of the values of a delta. */
  static Map<String, Object> shown(TraceEngine engine, StateDelta delta) {
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
  public String toString() {
    return "TraceSpace[" + state.id + ", " + state.name + ", " + all() + "]";
  }
}
