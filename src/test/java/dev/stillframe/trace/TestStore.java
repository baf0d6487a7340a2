package dev.stillframe.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps events in memory, and does something else before that, if told so. */
class TestStore implements TraceStore {
  final Map<String, List<TraceEvent>> traces = new ConcurrentHashMap<>();

  /** Runs before each append. */
  interface Before {
    void append(List<TraceEvent> events) throws Exception;
  }

  volatile Before before = events -> {};

  /** Runs as something is to be made durable. */
  volatile Runnable onFlush = () -> {};

  @Override
  public void flush(String traceId) {
    onFlush.run();
  }

  @Override
  public void append(String traceId, List<TraceEvent> events) throws Exception {
    before.append(events);
    List<TraceEvent> kept = traces.computeIfAbsent(traceId, id -> new ArrayList<>());
    synchronized (kept) {
      kept.addAll(events);
    }
  }

  @Override
  public List<TraceEvent> read(String traceId, long after, int limit) {
    List<TraceEvent> kept = traces.getOrDefault(traceId, List.of());
    synchronized (kept) {
      return kept.stream().filter(e -> e.sequence() > after).limit(limit).toList();
    }
  }

  @Override
  public boolean remove(String traceId) {
    return traces.remove(traceId) != null;
  }

  @Override
  public List<String> list() {
    return List.copyOf(traces.keySet());
  }
}
