package dev.stillframe.session.store;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import dev.stillframe.state.StateSnapshot;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of a stored session. Single keys go through a state over a {@link ScopedMap}; what
 * concerns several keys is done by the store at one instant, the commit of a draft excepted, which
 * writes one key after the other.
 */
final class StoredState implements SessionState {
  private final StoredSession session;
  private final Texts texts;
  private final Runnable requireOpen;
  private final SessionState temporary = SessionState.create();
  private final ScopedMap map;
  private final SessionState keys;

  StoredState(StoredSession session, Texts texts, Runnable requireOpen) {
    this.session = session;
    this.texts = texts;
    this.requireOpen = requireOpen;
    map = new ScopedMap(session, temporary.asMap(), texts, requireOpen);
    keys = SessionState.over(map);
  }

  @Override
  public @Nullable Object get(String key) {
    return keys.get(key);
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    return keys.set(key, value);
  }

  @Override
  public @Nullable Object setIfAbsent(String key, Object value) {
    return keys.setIfAbsent(key, value);
  }

  @Override
  public @Nullable Object computeIfAbsent(
      String key, Function<? super String, ? extends @Nullable Object> function) {
    return keys.computeIfAbsent(key, function);
  }

  @Override
  public boolean replace(String key, Object expected, Object value) {
    return keys.replace(key, expected, value);
  }

  @Override
  public @Nullable Object update(String key, UnaryOperator<@Nullable Object> function) {
    return keys.update(key, function);
  }

  @Override
  public @Nullable Object remove(String key) {
    return keys.remove(key);
  }

  @Override
  public boolean remove(String key, Object expected) {
    return keys.remove(key, expected);
  }

  @Override
  public void clear() {
    requireOpen.run();
    session.clear();
    temporary.clear();
  }

  @Override
  public void apply(StateDelta delta) {
    requireOpen.run();
    StateDelta stored = stored(delta);
    if (stored.isEmpty()) {
      session.info(); // which it has not any more once it was deleted
    } else {
      session.apply(texts.texts(stored));
    }
    applyTemporary(delta);
  }

  /** Returns what is stored of a delta, whose keys are checked. */
  static StateDelta stored(StateDelta delta) {
    return StateDelta.fromMap(Scope.only(delta.asMap(), scope -> scope != Scope.TEMP));
  }

  void applyTemporary(StateDelta delta) {
    temporary.apply(StateDelta.fromMap(Scope.only(delta.asMap(), scope -> scope == Scope.TEMP)));
  }

  @Override
  public StateSnapshot all() {
    return snapshot(map.copy());
  }

  /** Shows what was read of the store, and what is temporary. */
  StateSnapshot show(Map<String, String> stored) {
    return snapshot(map.copy(stored));
  }

  private static StateSnapshot snapshot(Map<String, Object> values) {
    return Texts.fold(StateDelta.fromMap(values), java.util.List.of());
  }

  @Override
  public StateDraft draft() {
    return keys.draft();
  }

  @Override
  public String toString() {
    return all().toString();
  }
}
