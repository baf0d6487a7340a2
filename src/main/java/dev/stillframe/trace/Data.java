package dev.stillframe.trace;

import dev.stillframe.state.StateDelta;
import java.lang.reflect.Array;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Copies values of callers, so that nobody can change them once they are part of an event. */
final class Data {
  private Data() {}

  /**
   * Returns a value that cannot change: lists, maps and sets are copied deeply, as a session state
   * does; an array becomes a list; an error is described. Runs code of the caller's (iterators).
   */
  static @Nullable Object freeze(String name, @Nullable Object value) {
    if (value == null || value instanceof String || value instanceof Boolean) {
      return value;
    }
    if (value instanceof Number number) {
      return fixed(number);
    }
    if (value instanceof Throwable thrown) {
      return TraceError.of(thrown);
    }
    Object element = value.getClass().isArray() ? listOf(value) : value;
    return StateDelta.builder().set(name, element).build().asMap().get(name);
  }

  /** Returns the number as it is now: counters of the JDK go on counting. */
  private static Number fixed(Number number) {
    if (number instanceof AtomicInteger counter) {
      return counter.get();
    }
    if (number instanceof AtomicLong
        || number instanceof LongAdder
        || number instanceof LongAccumulator) {
      return number.longValue();
    }
    if (number instanceof DoubleAdder || number instanceof DoubleAccumulator) {
      return number.doubleValue();
    }
    return number;
  }

  static Map<String, @Nullable Object> freezeMap(
      String name, Map<String, ? extends @Nullable Object> map) {
    Objects.requireNonNull(map, name);
    if (map.isEmpty()) {
      return Map.of();
    }
    map.keySet().forEach(key -> Objects.requireNonNull(key, name + " key"));
    @SuppressWarnings("unchecked") // a frozen map has the keys of the map it copies
    Map<String, @Nullable Object> frozen = (Map<String, @Nullable Object>) freeze(name, map);
    return frozen == null ? Map.of() : frozen;
  }

  /** Freezes the arguments of a log entry, which mostly need no copy. */
  static List<@Nullable Object> freezeAll(String name, @Nullable Object[] values) {
    Objects.requireNonNull(values, name);
    if (values.length == 0) {
      return List.of();
    }
    @Nullable Object[] copies = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      copies[i] = freeze(name, values[i]);
    }
    return new Fixed(copies);
  }

  private static List<@Nullable Object> listOf(Object array) {
    int length = Array.getLength(array);
    List<@Nullable Object> list = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      list.add(Array.get(array, i));
    }
    return list;
  }

  /** An unmodifiable list that may hold nulls. */
  private static final class Fixed extends AbstractList<@Nullable Object> {
    private final @Nullable Object[] elements;

    Fixed(@Nullable Object[] elements) {
      this.elements = elements;
    }

    @Override
    public @Nullable Object get(int index) {
      return elements[index];
    }

    @Override
    public int size() {
      return elements.length;
    }
  }
}
