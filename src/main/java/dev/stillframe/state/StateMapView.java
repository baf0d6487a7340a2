package dev.stillframe.state;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A state as a live map. Everything it does is an operation of the state. */
final class StateMapView extends AbstractMap<String, Object>
    implements ConcurrentMap<String, Object> {
  private final SessionState state;

  StateMapView(SessionState state) {
    this.state = state;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    return Objects.requireNonNull(key, "key") instanceof String name ? state.get(name) : null;
  }

  @Override
  public Object getOrDefault(@Nullable Object key, Object defaultValue) {
    Object value = get(key);
    return value == null ? defaultValue : value;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public int size() {
    return state.size();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || snapshot().equals(other);
  }

  @Override
  public int hashCode() {
    return snapshot().hashCode();
  }

  /** Returns the content at one instant, which knows how to compare arrays. */
  Map<String, Object> snapshot() {
    return state.all().asMap();
  }

  @Override
  public @Nullable Object put(String key, Object value) {
    return state.set(key, value);
  }

  @Override
  public void putAll(Map<? extends String, ? extends Object> map) {
    Map<String, @Nullable Object> changes = new LinkedHashMap<>();
    map.forEach((key, value) -> changes.put(key, AbstractSessionState.requireValue(key, value)));
    state.apply(new StateDelta(changes)); // applying copies the values
  }

  @Override
  public @Nullable Object putIfAbsent(String key, Object value) {
    return state.setIfAbsent(key, value);
  }

  @Override
  public @Nullable Object remove(@Nullable Object key) {
    return Objects.requireNonNull(key, "key") instanceof String name ? state.remove(name) : null;
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return Objects.requireNonNull(key, "key") instanceof String name
        && value != null
        && state.remove(name, value);
  }

  @Override
  public boolean replace(String key, Object expected, Object value) {
    return state.replace(key, expected, value);
  }

  @Override
  public @Nullable Object replace(String key, Object value) {
    AbstractSessionState.requireValue(key, value);
    @Nullable Object[] replaced = new @Nullable Object[1];
    state.update(key, old -> (replaced[0] = old) == null ? null : value);
    return replaced[0];
  }

  @Override
  public void clear() {
    state.clear();
  }

  @Override
  public @Nullable Object computeIfAbsent(
      String key, Function<? super String, ? extends Object> function) {
    return state.computeIfAbsent(key, function);
  }

  @Override
  public @Nullable Object computeIfPresent(
      String key, BiFunction<? super String, ? super Object, ? extends @Nullable Object> function) {
    Objects.requireNonNull(function, "function");
    return state.update(key, old -> old == null ? null : function.apply(key, old));
  }

  @Override
  public @Nullable Object compute(
      String key,
      BiFunction<? super String, ? super @Nullable Object, ? extends @Nullable Object> function) {
    Objects.requireNonNull(function, "function");
    return state.update(key, old -> function.apply(key, old));
  }

  @Override
  public @Nullable Object merge(
      String key,
      Object value,
      BiFunction<? super Object, ? super Object, ? extends @Nullable Object> function) {
    AbstractSessionState.requireValue(key, value);
    Objects.requireNonNull(function, "function");
    return state.update(key, old -> old == null ? value : function.apply(old, value));
  }

  @Override
  public void replaceAll(BiFunction<? super String, ? super Object, ? extends Object> function) {
    Objects.requireNonNull(function, "function");
    for (String key : state.keys()) {
      computeIfPresent(
          key, (k, old) -> AbstractSessionState.requireValue(k, function.apply(k, old)));
    }
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super Object> action) {
    state.all().asMap().forEach(action);
  }

  @Override
  public Set<String> keySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<String> iterator() {
        Iterator<Entry<String, Object>> entries = new Entries();
        return new Iterator<>() {
          private @Nullable String last;

          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public String next() {
            String key = entries.next().getKey();
            last = key;
            return key;
          }

          @Override
          public void remove() {
            String key = requireLast(last);
            last = null;
            state.remove(key);
          }
        };
      }

      @Override
      public int size() {
        return state.size();
      }

      @Override
      public boolean contains(@Nullable Object key) {
        return containsKey(key);
      }

      @Override
      public boolean remove(@Nullable Object key) {
        return StateMapView.this.remove(key) != null;
      }

      @Override
      public void clear() {
        state.clear();
      }
    };
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<String, Object>> iterator() {
        return new Entries();
      }

      @Override
      public int size() {
        return state.size();
      }

      @Override
      public boolean contains(@Nullable Object entry) {
        return entry instanceof Entry<?, ?> asked
            && asked.getKey() instanceof String key
            && asked.getValue() != null
            && Objects.deepEquals(state.get(key), asked.getValue());
      }

      @Override
      public boolean remove(@Nullable Object entry) {
        return entry instanceof Entry<?, ?> asked
            && asked.getKey() != null
            && StateMapView.this.remove(asked.getKey(), asked.getValue());
      }

      @Override
      public void clear() {
        state.clear();
      }
    };
  }

  private static <T> T requireLast(@Nullable T last) {
    if (last == null) {
      throw new IllegalStateException("remove must follow a next, once");
    }
    return last;
  }

  /** Walks a snapshot and writes through. */
  private final class Entries implements Iterator<Entry<String, Object>> {
    private final StateSnapshot snapshot = state.all();
    private final Iterator<String> keys = snapshot.storedMap().keySet().iterator();
    private @Nullable Entry<String, Object> last;

    @Override
    public boolean hasNext() {
      return keys.hasNext();
    }

    @Override
    public Entry<String, Object> next() {
      String key = keys.next();
      Object stored = Objects.requireNonNull(snapshot.stored(key), "a snapshot has no null");
      Entry<String, Object> entry = new WriteThroughEntry(key, stored);
      last = entry;
      return entry;
    }

    /** Leaves an entry that has changed since. */
    @Override
    public void remove() {
      Entry<String, Object> entry = requireLast(last);
      last = null;
      state.remove(entry.getKey(), entry.getValue());
    }
  }

  /** Shows its value as of the snapshot, or as it was last set here. */
  private final class WriteThroughEntry extends SimpleEntry<String, Object> {
    private static final long serialVersionUID = 1L;

    WriteThroughEntry(String key, Object stored) {
      super(key, stored);
    }

    @Override
    public Object getValue() {
      return Values.thaw(super.getValue());
    }

    @Override
    public Object setValue(Object value) {
      AbstractSessionState.requireValue(getKey(), value);
      Object stored =
          state instanceof AbstractSessionState own ? own.toStored(getKey(), value) : value;
      state.set(getKey(), stored);
      return Values.thaw(super.setValue(stored));
    }
  }
}
