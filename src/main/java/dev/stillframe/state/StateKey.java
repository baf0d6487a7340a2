package dev.stillframe.state;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key with the type of its values, so that callers need no cast. It names the same slot as its
 * bare name does.
 *
 * <pre>{@code
 * static final StateKey<Integer> ATTEMPTS = StateKey.of("attempts", Integer.class);
 * int attempts = state.require(ATTEMPTS);
 * }</pre>
 *
 * <p>For collections the type is an interface, {@code List}, {@code Map} or {@code Set}: what is
 * stored is an unmodifiable copy, which is no {@code ArrayList}.
 *
 * @param <T> the type of the values
 * @param name the key
 * @param type the class of the values; not a primitive one
 */
public record StateKey<T>(String name, Class<T> type) {

  /**
   * Creates a typed key.
   *
   * @param name the key
   * @param type the class of the values
   * @throws IllegalArgumentException if the type is primitive, since no value could ever be of it
   */
  public StateKey {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    if (type.isPrimitive()) {
      throw new IllegalArgumentException(
          "The type of state key '" + name + "' must not be primitive: " + type);
    }
  }

  /**
   * Creates a typed key.
   *
   * @param <T> the type of the values
   * @param name the key
   * @param type the class of the values
   * @return the key
   * @throws IllegalArgumentException if the type is primitive
   */
  public static <T> StateKey<T> of(String name, Class<T> type) {
    return new StateKey<>(name, type);
  }

  /** Returns the stored form of a value, of which the copies that callers get are of this type. */
  Object storable(T value) {
    Object stored = Values.freeze(name, AbstractSessionState.requireValue(name, value));
    cast(Values.thaw(stored));
    return stored;
  }

  @Nullable T cast(@Nullable Object value) {
    if (value != null && !type.isInstance(value)) {
      throw new ClassCastException(
          "State key '"
              + name
              + "' must hold "
              + type.getTypeName()
              + ", but holds "
              + value.getClass().getTypeName());
    }
    return type.cast(value);
  }
}
