package dev.stillframe.trace;

import dev.stillframe.StillframeException;
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

/** A draft of a space: a draft of its values, which is committed by a command of the trace. */
final class SpaceDraft implements StateDraft {
  private final TraceEngine engine;
  private final SpaceState space;
  private final StateDraft draft;

  SpaceDraft(TraceEngine engine, SpaceState space, StateDraft draft) {
    this.engine = engine;
    this.space = space;
    this.draft = draft;
  }

  @Override
  public void commit() {
    Map<String, Object> shown = SpaceHandle.shown(engine, draft.delta());
    Instant at = engine.now();
    engine.change(() -> SpaceCommands.commit(engine, at, space, draft, null, shown));
  }

  /**
   * Settles one key after the other on this thread: a commit that meets a key which is not settled,
   * or was settled for another value, leaves everything as it is and says which.
   */
  @Override
  public void commit(Merge merge) {
    Objects.requireNonNull(merge, "merge");
    Map<String, Settled> settled = new HashMap<>();
    Map<String, Object> shown = new HashMap<>(SpaceHandle.shown(engine, draft.delta()));
    Merge known =
        (key, base, current, ours) -> {
          Settled one = settled.get(key);
          if (one == null || !Objects.deepEquals(one.current(), current)) {
            throw new Unsettled(key, base, current, ours);
          }
          return one.value();
        };
    for (; ; ) {
      try {
        Instant at = engine.now();
        engine.change(() -> SpaceCommands.commit(engine, at, space, draft, known, shown));
        return;
      } catch (Unsettled open) {
        Object value = merge.merge(open.key, open.base, open.current, open.ours);
        settled.put(open.key, new Settled(open.current, value));
        if (value != null) {
          StateDelta one = StateDelta.builder().set(open.key, value).build();
          shown.putAll(SpaceHandle.shown(engine, one));
        }
      }
    }
  }

  /** What a key was settled to, for a current value. */
  private record Settled(@Nullable Object current, @Nullable Object value) {}

  /** Thrown to leave a commit; it never reaches a user. */
  private static final class Unsettled extends StillframeException {
    private static final long serialVersionUID = 1L;

    final String key;
    final transient @Nullable Object base;
    final transient @Nullable Object current;
    final transient @Nullable Object ours;

    Unsettled(String key, @Nullable Object base, @Nullable Object current, @Nullable Object ours) {
      super("State key '" + key + "' must be settled before the draft is committed");
      this.key = key;
      this.base = base;
      this.current = current;
      this.ours = ours;
    }
  }

  @Override
  public StateSnapshot base() {
    return draft.base();
  }

  @Override
  public StateDelta delta() {
    return draft.delta();
  }

  @Override
  public @Nullable Object get(String key) {
    return draft.get(key);
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    return draft.set(key, value);
  }

  @Override
  public @Nullable Object setIfAbsent(String key, Object value) {
    return draft.setIfAbsent(key, value);
  }

  @Override
  public @Nullable Object computeIfAbsent(
      String key, Function<? super String, ? extends @Nullable Object> function) {
    return draft.computeIfAbsent(key, function);
  }

  @Override
  public boolean replace(String key, Object expected, Object value) {
    return draft.replace(key, expected, value);
  }

  @Override
  public @Nullable Object update(String key, UnaryOperator<@Nullable Object> function) {
    return draft.update(key, function);
  }

  @Override
  public @Nullable Object remove(String key) {
    return draft.remove(key);
  }

  @Override
  public boolean remove(String key, Object expected) {
    return draft.remove(key, expected);
  }

  @Override
  public void clear() {
    draft.clear();
  }

  @Override
  public void apply(StateDelta delta) {
    draft.apply(delta);
  }

  @Override
  public StateSnapshot all() {
    return draft.all();
  }

  @Override
  public StateDraft draft() {
    return draft.draft();
  }

  @Override
  public String toString() {
    return draft.toString();
  }
}
