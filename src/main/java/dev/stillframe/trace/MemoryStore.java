package dev.stillframe.trace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Keeps events in memory, each trace under a lock of its own. */
final class MemoryStore implements TraceStore {
  private final Map<String, Log> logs = new ConcurrentHashMap<>();

  /** The events of one trace. */
  private static final class Log {
    final ReentrantLock lock = new ReentrantLock();
    final List<TraceEvent> events = new ArrayList<>();

    /** False to true as a trace takes it, and back as it is released. */
    boolean taken;

    /** False to true as it is removed from the map. */
    boolean removed;

    /** False to true. */
    boolean archived;

    boolean isEnded() {
      return !events.isEmpty() && events.get(events.size() - 1) instanceof TraceEvent.Complete;
    }

    void requireFree(String traceId) {
      if (taken) {
        throw new TraceInUseException(traceId, "this process");
      }
    }
  }

  /** What is done to a log, under its lock. */
  private interface Step<R extends @Nullable Object> {
    R run(Log log);
  }

  /** Does something to a log, or returns what stands for an unknown trace. */
  private <R extends @Nullable Object> R with(String traceId, R unknown, Step<R> step) {
    Log log = logs.get(traceId);
    if (log == null) {
      return unknown;
    }
    log.lock.lock();
    try {
      return log.removed ? unknown : step.run(log);
    } finally {
      log.lock.unlock();
    }
  }

  @Override
  public void create(String traceId, Instant at) {
    Log log = new Log();
    log.taken = true;
    Log there = logs.putIfAbsent(traceId, log);
    if (there != null) {
      there.requireFree(traceId);
      throw new IllegalArgumentException(
          "A trace id must be used once only in a store; '" + traceId + "' is kept already");
    }
  }

  @Override
  public boolean resume(String traceId) {
    return with(
        traceId,
        false,
        log -> {
          log.requireFree(traceId);
          log.taken = !log.isEnded() && !log.archived;
          return log.taken;
        });
  }

  @Override
  public void append(String traceId, List<TraceEvent> events) {
    logs.computeIfAbsent(traceId, id -> new Log());
    boolean kept = with(traceId, false, log -> !log.archived && log.events.addAll(events));
    if (!kept && !events.isEmpty()) {
      throw new IllegalStateException(
          "A trace must not be archived or removed while it is written; '" + traceId + "' is");
    }
  }

  @Override
  public void release(String traceId) {
    with(
        traceId,
        true,
        log -> {
          log.taken = false;
          return true;
        });
  }

  @Override
  public List<TraceEvent> read(String traceId, long after, int limit) {
    return with(
        traceId,
        List.of(),
        log -> log.events.stream().filter(e -> e.sequence() > after).limit(limit).toList());
  }

  @Override
  public @Nullable StoredTrace find(String traceId) throws Exception {
    StoredTrace found = TraceStore.super.find(traceId);
    return found == null
        ? null
        : with(
            traceId,
            found,
            log ->
                new StoredTrace(
                    traceId,
                    found.day(),
                    log.taken && !found.status().isFinal() ? TraceStatus.RUNNING : found.status(),
                    found.lastSequence(),
                    0,
                    log.archived));
  }

  @Override
  public boolean archive(String traceId) {
    return with(
        traceId,
        false,
        log -> {
          log.requireFree(traceId);
          boolean first = !log.archived;
          log.archived = true;
          return first;
        });
  }

  @Override
  public boolean remove(String traceId) {
    return with(
        traceId,
        false,
        log -> {
          log.requireFree(traceId);
          log.removed = true;
          return logs.remove(traceId, log);
        });
  }

  @Override
  public List<String> list() {
    return List.copyOf(logs.keySet());
  }
}
