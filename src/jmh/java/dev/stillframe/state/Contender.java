package dev.stillframe.state;

import java.util.HashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.concurrent.TrieMap;

/** Stillframe's state and those beside which it is measured. */
public enum Contender {
  STILLFRAME {
    @Override
    StateContender create() {
      return new Stillframe();
    }
  },

  /** A bare map. Its copies are weakly consistent: what the others do better, at what price? */
  CHM {
    @Override
    StateContender create() {
      return new Bare();
    }
  },

  /** The simplest way to exact copies: writers share a lock that a snapshot takes for itself. */
  RW_LOCK {
    @Override
    StateContender create() {
      return new Locked();
    }
  },

  /** Scala's lock-free map, whose snapshots are exact, lazy and O(1). */
  TRIE_MAP {
    @Override
    StateContender create() {
      return new Trie();
    }
  },

  /**
   * A model of {@code State} in google-adk 1.8.0, whose {@code put} writes to a map of values and
   * to a map of changes, and whose {@code get} reads the first. Its own class comes with some 200
   * jars.
   */
  TWO_MAPS {
    @Override
    StateContender create() {
      return new TwoMaps();
    }
  };

  abstract StateContender create();

  private static final class Stillframe implements StateContender {
    private final SessionState state = SessionState.create();

    @Override
    public @Nullable Object get(String key) {
      return state.get(key);
    }

    @Override
    public @Nullable Object set(String key, Object value) {
      return state.set(key, value);
    }

    @Override
    public Object snapshot() {
      return state.all();
    }
  }

  private static final class Bare implements StateContender {
    private final ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();

    @Override
    public @Nullable Object get(String key) {
      return map.get(key);
    }

    @Override
    public @Nullable Object set(String key, Object value) {
      return map.put(key, value);
    }

    @Override
    public Object snapshot() {
      return new HashMap<>(map);
    }
  }

  private static final class Locked implements StateContender {
    private final ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    @Override
    public @Nullable Object get(String key) {
      return map.get(key);
    }

    @Override
    public @Nullable Object set(String key, Object value) {
      lock.readLock().lock();
      try {
        return map.put(key, value);
      } finally {
        lock.readLock().unlock();
      }
    }

    @Override
    public Object snapshot() {
      lock.writeLock().lock();
      try {
        return new HashMap<>(map);
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  private static final class Trie implements StateContender {
    private final TrieMap<String, Object> map = new TrieMap<>();

    @Override
    public @Nullable Object get(String key) {
      return orNull(map.get(key));
    }

    @Override
    public @Nullable Object set(String key, Object value) {
      return orNull(map.put(key, value));
    }

    @Override
    public Object snapshot() {
      return map.readOnlySnapshot();
    }

    private static @Nullable Object orNull(Option<Object> option) {
      return option.isEmpty() ? null : option.get();
    }
  }

  private static final class TwoMaps implements StateContender {
    private final ConcurrentMap<String, Object> state = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Object> delta = new ConcurrentHashMap<>();

    @Override
    public @Nullable Object get(String key) {
      return state.get(key);
    }

    @Override
    public @Nullable Object set(String key, Object value) {
      Object old = state.put(key, value);
      delta.put(key, value);
      return old;
    }

    @Override
    public Object snapshot() {
      return new HashMap<>(state);
    }
  }
}
