package dev.stillframe.state;

import java.io.Serializable;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An unmodifiable set of stored values in the order they were given; reading one thaws it. */
final class FrozenSet<E extends @Nullable Object> extends AbstractSet<E>
    implements Values.Frozen, Serializable {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // never written, see writeReplace
  private final Set<@Nullable Object> stored;

  private final int height;

  FrozenSet(Set<@Nullable Object> stored) {
    this.stored = stored;
    height = 1 + Values.height(stored);
  }

  @Override
  public int height() {
    return height;
  }

  @Override
  public Iterator<E> iterator() {
    Iterator<@Nullable Object> iterator = stored.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return iterator.hasNext();
      }

      @Override
      public E next() {
        return Values.thawAs(iterator.next());
      }
    };
  }

  @Override
  public int size() {
    return stored.size();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return stored.contains(Values.lookup(element));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FrozenSet<?> that ? stored.equals(that.stored) : super.equals(other);
  }

  @Override
  public int hashCode() {
    return stored.hashCode();
  }

  @Override
  public String toString() {
    return stored.toString();
  }

  /** Travels as a set that every reader knows, of the capacity that it has once it is read. */
  private Object writeReplace() {
    Set<E> copy = new LinkedHashSet<>((int) (size() * (1 / 0.75f)));
    copy.addAll(this);
    return copy;
  }
}
