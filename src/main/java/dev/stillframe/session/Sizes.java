package dev.stillframe.session;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Estimates how many bytes values take: the characters of texts, and something for each object. */
final class Sizes {
  private static final int OBJECT = 24;
  private static final int ENTRY = 32;

  private Sizes() {}

  static long of(SessionEvent event) {
    return 4L * OBJECT
        + of(event.id())
        + of(event.author())
        + of(event.invocationId())
        + of(event.content())
        + of(event.metadata())
        + of(event.delta().asMap());
  }

  static long of(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof String text) {
      return OBJECT + 2L * text.length();
    }
    if (value instanceof Map<?, ?> map) {
      long sum = OBJECT;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        sum += ENTRY + of(entry.getKey()) + of(entry.getValue());
      }
      return sum;
    }
    if (value instanceof Collection<?> values) {
      long sum = OBJECT;
      for (Object element : values) {
        sum += of(element);
      }
      return sum;
    }
    if (value.getClass().isArray()) {
      return ofArray(value);
    }
    return OBJECT;
  }

  private static long ofArray(Object array) {
    int length = Array.getLength(array);
    if (array.getClass().getComponentType().isPrimitive()) {
      return OBJECT + 8L * length;
    }
    long sum = OBJECT;
    for (int i = 0; i < length; i++) {
      sum += of(Array.get(array, i));
    }
    return sum;
  }
}
