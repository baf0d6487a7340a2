package dev.stillframe.state;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An unmodifiable map whose keys and values are stored ones, all the way down. */
final class FrozenMap<K extends @Nullable Object, V extends @Nullable Object>
    extends ThawingMap<K, V> implements Values.Frozen {
  private static final long serialVersionUID = 1L;

  private final int height;

  FrozenMap(Map<?, ? extends @Nullable Object> stored) {
    super(stored);
    height = 1 + Math.max(Values.height(stored.keySet()), Values.height(stored.values()));
  }

  @Override
  public int height() {
    return height;
  }
}
