package dev.stillframe.state;

import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An unmodifiable view of a map of stored keys and values; reading one thaws it. */
sealed class ThawingMap<K extends @Nullable Object, V extends @Nullable Object>
    extends AbstractMap<K, V> implements Serializable permits FrozenMap {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // never written, see writeReplace
  private final Map<?, ? extends @Nullable Object> stored;

  ThawingMap(Map<?, ? extends @Nullable Object> stored) {
    this.stored = stored;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return Values.<@Nullable V>thawAs(stored.get(Values.lookup(key)));
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return stored.containsKey(Values.lookup(key));
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return stored.containsValue(Values.lookup(value));
  }

  @Override
  public int size() {
    return stored.size();
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<K, V>> iterator() {
        return entries();
      }

      @Override
      public int size() {
        return stored.size();
      }

      @Override
      public boolean contains(@Nullable Object entry) {
        return entry instanceof Entry<?, ?> asked && holds(asked.getKey(), asked.getValue());
      }
    };
  }

  private boolean holds(@Nullable Object key, @Nullable Object value) {
    return containsKey(key) && Objects.equals(stored.get(Values.lookup(key)), Values.lookup(value));
  }

  private Iterator<Entry<K, V>> entries() {
    Iterator<? extends Entry<?, ? extends @Nullable Object>> iterator =
        stored.entrySet().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return iterator.hasNext();
      }

      @Override
      public Entry<K, V> next() {
        Entry<?, ? extends @Nullable Object> entry = iterator.next();
        return new SimpleImmutableEntry<>(
            Values.<K>thawAs(entry.getKey()), Values.<V>thawAs(entry.getValue()));
      }
    };
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    Object content = other instanceof StateMapView view ? view.snapshot() : other;
    return content instanceof ThawingMap<?, ?> that
        ? stored.equals(that.stored)
        : super.equals(content);
  }

  @Override
  public final int hashCode() {
    return stored.hashCode();
  }

  @Override
  public String toString() {
    return stored.toString();
  }

  /**
   * Travels as a map that every reader knows, of the capacity that it has once it is read: so the
   * bytes stay the same, by which a data grid compares.
   */
  final Object writeReplace() {
    Map<K, V> copy =
        isEmpty()
            ? new LinkedHashMap<>()
            : new LinkedHashMap<>(Math.max(16, (int) (size() / 0.75f + 1)));
    copy.putAll(this);
    return copy;
  }
}
