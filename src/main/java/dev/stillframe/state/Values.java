package dev.stillframe.state;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into the form in which they are stored and back. Stored, a collection is one of the
 * {@code Frozen} classes and an array is a {@link StoredArray}; everything else stands for itself.
 */
final class Values {
  private static final int MAX_DEPTH = 500;

  private Values() {}

  /** Returns the stored form of a value: a deep copy unless it is one already. */
  static Object freeze(String key, Object value) {
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return value; // not for their sake but for speed: they are none of what is asked below
    }
    return freeze(key, value, 0);
  }

  /** Copies what is found {@code depth} levels below the value of a key. */
  private static Object freeze(String key, Object value, int depth) {
    if (value instanceof Frozen frozen) {
      requireLevels(key, value, depth + frozen.height());
      return value;
    }
    boolean isArray = value.getClass().isArray();
    if (!(isArray || value instanceof Collection || value instanceof Map)) {
      return value;
    }
    requireLevels(key, value, depth + 1);
    if (value instanceof List<?> list) {
      return new FrozenList<>(freezeAll(key, list, depth));
    }
    if (value instanceof Map<?, ?> map) {
      Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((k, v) -> copy.put(freezeNullable(key, k, depth), freezeNullable(key, v, depth)));
      return new FrozenMap<>(copy);
    }
    if (value instanceof Set<?> set) {
      return new FrozenSet<>(
          new LinkedHashSet<@Nullable Object>(Arrays.asList(freezeAll(key, set, depth))));
    }
    if (isArray) {
      Object copy = copyArray(key, value, depth);
      return new StoredArray(copy, arrayHeight(copy));
    }
    return new FrozenList<>(freezeAll(key, (Collection<?>) value, depth)); // a queue, or a view
  }

  private static void requireLevels(String key, Object value, int levels) {
    if (levels > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "The value of state key '"
              + key
              + "' must not be nested deeper than "
              + MAX_DEPTH
              + " levels, nor contain itself; it is a "
              + value.getClass().getName());
    }
  }

  private static @Nullable Object[] freezeAll(String key, Collection<?> values, int depth) {
    @Nullable Object[] given = values.toArray(); // which may be the collection's own array
    @Nullable Object[] copies = Arrays.copyOf(given, given.length, Object[].class);
    for (int i = 0; i < copies.length; i++) {
      copies[i] = freezeNullable(key, copies[i], depth);
    }
    return copies;
  }

  private static @Nullable Object freezeNullable(String key, @Nullable Object value, int depth) {
    return value == null ? null : freeze(key, value, depth + 1);
  }

  /** Copies an array with the arrays and collections in it; the copy has the same type. */
  private static Object copyArray(String key, Object array, int depth) {
    int length = Array.getLength(array);
    Class<?> type = array.getClass().getComponentType();
    Object copy = Array.newInstance(type, length);
    if (type.isPrimitive()) {
      System.arraycopy(array, 0, copy, 0, length);
      return copy;
    }
    @Nullable Object[] from = (Object[]) array;
    @Nullable Object[] to = (Object[]) copy;
    for (int i = 0; i < length; i++) {
      Object element = freezeNullable(key, from[i], depth);
      Object bare = element instanceof StoredArray stored ? stored.array : element;
      if (bare != null && !type.isInstance(bare)) {
        throw new IllegalArgumentException(
            "The value of state key '"
                + key
                + "' must not be an array of "
                + type.getName()
                + ", which cannot hold an unmodifiable copy of its elements");
      }
      to[i] = bare;
    }
    return copy;
  }

  /** Returns the value that a caller gets for a stored one: itself, or a copy of an array. */
  static Object thaw(Object stored) {
    return stored instanceof StoredArray array ? array.copy() : stored;
  }

  /** {@link #thaw} that leaves null as it is. */
  static @Nullable Object thawNullable(@Nullable Object stored) {
    return stored == null ? null : thaw(stored);
  }

  /** {@link #thawNullable} for a collection, which knows the type of its elements. */
  // NullAway: T is nullable if the collection holds nulls. The element type was erased on the way
  // in.
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  static <T extends @Nullable Object> T thawAs(@Nullable Object stored) {
    return (T) thawNullable(stored);
  }

  /** Compares two values by content, stored or not. */
  static boolean equal(@Nullable Object a, @Nullable Object b) {
    return a == b || Objects.deepEquals(bare(a), bare(b));
  }

  private static @Nullable Object bare(@Nullable Object value) {
    return value instanceof StoredArray stored ? stored.array : value;
  }

  /** Returns what to look up in a frozen set or map for a caller's object: arrays by content. */
  static @Nullable Object lookup(@Nullable Object asked) {
    return asked != null && asked.getClass().isArray() ? new StoredArray(asked, 0) : asked;
  }

  /** Returns how many levels a stored value is known to have; 0 if it is none that is nested. */
  private static int height(@Nullable Object value) {
    return value instanceof Frozen frozen ? frozen.height() : 0;
  }

  /** An array in an array stands there as it is, with nothing that knows its height. */
  private static int arrayHeight(Object array) {
    int highest = 0;
    if (!array.getClass().getComponentType().isPrimitive()) {
      for (Object element : (@Nullable Object[]) array) {
        boolean nested = element != null && element.getClass().isArray();
        highest = Math.max(highest, nested ? arrayHeight(element) : height(element));
      }
    }
    return 1 + highest;
  }

  static int height(Collection<? extends @Nullable Object> stored) {
    int highest = 0;
    for (Object value : stored) {
      highest = Math.max(highest, height(value));
    }
    return highest;
  }

  /** What is a deep unmodifiable copy already. */
  interface Frozen {

    /** Counts the levels of nesting, this one included. */
    int height();
  }

  /** An array of which nobody outside has a reference. */
  static final class StoredArray implements Frozen {
    private final Object array;
    private final int height;

    StoredArray(Object array, int height) {
      this.array = array;
      this.height = height;
    }

    @Override
    public int height() {
      return height;
    }

    Object copy() {
      return copyOut(array);
    }

    /** Copies the arrays in it, too; what else is in a stored array is unmodifiable. */
    private static Object copyOut(Object array) {
      int length = Array.getLength(array);
      Object copy = Array.newInstance(array.getClass().getComponentType(), length);
      System.arraycopy(array, 0, copy, 0, length);
      if (!array.getClass().getComponentType().isPrimitive()) {
        @Nullable Object[] elements = (Object[]) copy;
        for (int i = 0; i < length; i++) {
          Object element = elements[i];
          if (element != null && element.getClass().isArray()) {
            elements[i] = copyOut(element);
          }
        }
      }
      return copy;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof StoredArray that && Objects.deepEquals(array, that.array);
    }

    @Override
    public int hashCode() {
      return Arrays.deepHashCode(new Object[] {array});
    }

    @Override
    public String toString() {
      String inBrackets = Arrays.deepToString(new Object[] {array});
      return inBrackets.substring(1, inBrackets.length() - 1);
    }
  }
}
