package dev.stillframe.trace;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Estimates how many bytes an event holds on to. */
final class EventSize {
  /** The record itself, its instant, and what refers to it. */
  private static final int EVENT = 96;

  private static final int OBJECT = 24;

  private EventSize() {}

  static long of(TraceEvent event) {
    if (event instanceof TraceEvent.LogAdded log) {
      return EVENT + text(log.message()) + value(log.arguments());
    }
    if (event instanceof TraceEvent.NodeStart start) {
      return EVENT + text(start.label()) + value(start.input()) + value(start.metadata());
    }
    if (event instanceof TraceEvent.NodeUpdated updated) {
      return EVENT + value(updated.output()) + value(updated.metadata());
    }
    if (event instanceof TraceEvent.NodeComplete complete) {
      return EVENT + value(complete.output());
    }
    if (event instanceof TraceEvent.MemoryAdd add) {
      return EVENT + text(add.key()) + value(add.value());
    }
    if (event instanceof TraceEvent.MemoryUpdate update) {
      return EVENT + text(update.key()) + value(update.value());
    }
    if (event instanceof TraceEvent.NodeFailed failed) {
      return EVENT + value(failed.error());
    }
    if (event instanceof TraceEvent.NodeSkipped skipped) {
      return EVENT + value(skipped.reason());
    }
    if (event instanceof TraceEvent.NodeCancelled cancelled) {
      return EVENT + value(cancelled.reason());
    }
    if (event instanceof TraceEvent.Complete complete) {
      return EVENT + value(complete.reason());
    }
    if (event instanceof TraceEvent.SpaceCreated created) {
      return EVENT + value(created.metadata());
    }
    if (event instanceof TraceEvent.Init init) {
      return EVENT + value(init.metadata());
    }
    return EVENT;
  }

  private static long text(String text) {
    return OBJECT + 2L * text.length();
  }

  /** Walks a value, which is finite, since it was copied. */
  private static long value(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof String text) {
      return text(text);
    }
    if (value instanceof List<?> list && list.isEmpty()) {
      return OBJECT; // the arguments of most log entries
    }
    long size = 0;
    Deque<Object> left = new ArrayDeque<>();
    left.push(value);
    while (!left.isEmpty()) {
      Object next = left.pop();
      size += OBJECT;
      if (next instanceof String text) {
        size += text(text);
      } else if (next instanceof TraceError error) {
        size += text(error.toString());
      } else if (next.getClass().isArray()) {
        size += 8L * Array.getLength(next);
      } else if (next instanceof Collection<?> collection && isCopy(next)) {
        pushAll(left, collection);
      } else if (next instanceof Map<?, ?> map) {
        pushAll(left, map.keySet());
        pushAll(left, map.values());
      }
    }
    return size;
  }

  /** Lists, sets and maps were copied; any other collection is a caller's, and is left alone. */
  private static boolean isCopy(Object value) {
    return value instanceof List<?> || value instanceof Set<?> || value instanceof Map<?, ?>;
  }

  private static void pushAll(Deque<Object> left, Collection<?> values) {
    for (Object value : values) {
      if (value != null) {
        left.push(value);
      }
    }
  }
}
