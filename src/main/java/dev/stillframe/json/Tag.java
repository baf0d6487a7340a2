package dev.stillframe.json;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How values of one class are written: as an object whose only member is named {@code $} and the
 * tag's name.
 *
 * @param name the name, without the sign
 * @param type the class of the values
 * @param write returns something plain to write for a value
 * @param read returns the value for what was written; null, or a throw, if it is not that
 */
record Tag(
    String name,
    Class<?> type,
    Function<Object, @Nullable Object> write,
    Function<Object, @Nullable Object> read) {

  /** A tag whose values are written as one text. */
  static <T> Tag text(
      String name, Class<T> type, Function<T, String> write, Function<String, T> read) {
    return new Tag(
        name,
        type,
        value -> write.apply(type.cast(value)),
        text -> text instanceof String string ? read.apply(string) : null);
  }

  /** A tag whose values are written as their own text. */
  static <T> Tag text(String name, Class<T> type, Function<String, T> read) {
    return text(name, type, String::valueOf, read);
  }
}
