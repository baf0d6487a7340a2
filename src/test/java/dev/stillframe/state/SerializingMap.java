package dev.stillframe.state;

import java.io.IOException;
import java.io.Serializable;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A map as a data grid has it: it holds bytes, hands out a new object at each read, and compares
 * bytes. It gives up on a caller that tries the same thing for ever.
 */
final class SerializingMap extends AbstractMap<String, Object>
    implements ConcurrentMap<String, Object> {
  private static final int PATIENCE = 2_000;

  private final ConcurrentMap<String, Bytes> map = new ConcurrentHashMap<>();
  private int failedInARow;

  private record Bytes(byte[] bytes) {
    static Bytes of(Object value) {
      try {
        return new Bytes(Serialized.bytes((Serializable) value));
      } catch (IOException e) {
        throw new IllegalArgumentException(e);
      }
    }

    static Object read(Bytes stored) {
      try {
        return stored == null ? null : Serialized.read(stored.bytes);
      } catch (IOException | ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  private synchronized boolean counted(boolean done) {
    failedInARow = done ? 0 : failedInARow + 1;
    if (failedInARow > PATIENCE) {
      throw new IllegalStateException("Failed in a row: " + failedInARow);
    }
    return done;
  }

  @Override
  public Object get(Object key) {
    return Bytes.read(map.get(key));
  }

  @Override
  public Object put(String key, Object value) {
    return Bytes.read(map.put(key, Bytes.of(value)));
  }

  @Override
  public Object putIfAbsent(String key, Object value) {
    return Bytes.read(map.putIfAbsent(key, Bytes.of(value)));
  }

  @Override
  public Object remove(Object key) {
    return Bytes.read(map.remove(key));
  }

  @Override
  public boolean remove(Object key, Object value) {
    return counted(map.remove(key, Bytes.of(value)));
  }

  @Override
  public boolean replace(String key, Object oldValue, Object newValue) {
    return counted(map.replace(key, Bytes.of(oldValue), Bytes.of(newValue)));
  }

  @Override
  public Object replace(String key, Object value) {
    return Bytes.read(map.replace(key, Bytes.of(value)));
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    Map<String, Object> copy = new HashMap<>();
    map.forEach((key, value) -> copy.put(key, Bytes.read(value)));
    return copy.entrySet();
  }
}
