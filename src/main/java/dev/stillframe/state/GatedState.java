package dev.stillframe.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A view of a state whose writes pass through a {@link WriteGate}. The operations are those of all
 * states; what is behind the gate are the primitives, which compare by reference and run no code of
 * a user.
 */
final class GatedState extends AbstractSessionState {
  private final ConcurrentSessionState inner;
  private final WriteGate gate;

  GatedState(ConcurrentSessionState inner, WriteGate gate) {
    super(inner.keepsReferences());
    this.inner = inner;
    this.gate = gate;
  }

  /** A write whose changes are known before. */
  private record Prepared(Map<String, @Nullable Object> stored, BooleanSupplier action)
      implements WriteGate.Write {
    @Override
    public StateDelta changes() {
      return new StateDelta(stored);
    }

    @Override
    public boolean make() {
      return action.getAsBoolean();
    }
  }

  private boolean pass(String key, @Nullable Object value, BooleanSupplier action) {
    Map<String, @Nullable Object> one = new LinkedHashMap<>();
    one.put(key, value);
    return gate.pass(new Prepared(one, action));
  }

  @Override
  @Nullable Object stored(String key) {
    return inner.stored(key);
  }

  @Override
  public @Nullable Object get(String key) {
    return inner.get(key);
  }

  @Override
  StateSnapshot snapshot() {
    return inner.snapshot();
  }

  /** Depends on nothing that was read, so that it passes at once whoever else writes. */
  @Override
  public @Nullable Object set(String key, Object value) {
    Object replacement = toStored(key, requireValue(key, value));
    writing(key);
    @Nullable Object[] old = new @Nullable Object[1];
    pass(
        key,
        replacement,
        () -> {
          old[0] = inner.set(key, replacement);
          return true;
        });
    return old[0];
  }

  @Override
  boolean compareAndSet(String key, @Nullable Object expected, @Nullable Object value) {
    writing(key);
    return pass(key, value, () -> inner.compareAndSet(key, expected, value));
  }

  @Override
  boolean commit(List<Edit> edits, @Nullable StateSnapshot whole) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>();
    for (Edit edit : edits) {
      writing(edit.key());
      if (!edit.conditional() || edit.value() != edit.expected()) {
        changed.put(edit.key(), edit.value());
      }
    }
    return gate.pass(new Prepared(changed, () -> inner.commit(edits, whole)));
  }

  @Override
  public void clear() {
    writing(null);
    gate.pass(
        new WriteGate.Write() {
          @Override
          public StateDelta changes() {
            Map<String, @Nullable Object> removals = new LinkedHashMap<>();
            inner.snapshot().storedMap().keySet().forEach(key -> removals.put(key, null));
            return new StateDelta(removals);
          }

          @Override
          public boolean make() {
            inner.clear();
            return true;
          }
        });
  }
}
