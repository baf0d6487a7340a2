package dev.stillframe.state;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An unmodifiable list of stored values; reading one thaws it. */
final class FrozenList<E extends @Nullable Object> extends AbstractList<E>
    implements RandomAccess, Values.Frozen, Serializable {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // never written, see writeReplace
  private final @Nullable Object[] stored;

  private final int height;

  FrozenList(@Nullable Object[] stored) {
    this.stored = stored;
    height = 1 + Values.height(Arrays.asList(stored));
  }

  @Override
  public int height() {
    return height;
  }

  @Override
  public E get(int index) {
    return Values.thawAs(stored[index]);
  }

  @Override
  public int size() {
    return stored.length;
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return indexOf(element) >= 0;
  }

  @Override
  public int indexOf(@Nullable Object element) {
    return Arrays.asList(stored).indexOf(Values.lookup(element));
  }

  @Override
  public int lastIndexOf(@Nullable Object element) {
    return Arrays.asList(stored).lastIndexOf(Values.lookup(element));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FrozenList<?> that
        ? Arrays.equals(stored, that.stored)
        : super.equals(other);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(stored);
  }

  @Override
  public String toString() {
    return Arrays.toString(stored);
  }

  /** Travels as a list that every reader knows. */
  private Object writeReplace() {
    return new ArrayList<>(this);
  }
}
