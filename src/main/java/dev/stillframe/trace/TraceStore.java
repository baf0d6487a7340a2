package dev.stillframe.trace;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the events of traces outside of them. A store of one's own implements the first four
 * methods; the others have a body that does without.
 *
 * <p><b>Writing.</b> As a trace is opened, {@link #create} is called, as it is loaded, {@link
 * #resume}, both on the thread of the caller. Then, for one trace at a time, {@link #append} is
 * called by one thread at a time, in the order of the events, with no lock of the library held;
 * that thread is one of the library's own. It may block: producers of that trace wait once {@link
 * TraceOptions.Builder#queueCapacity(int)} events are unwritten. If it throws, an {@link Error}
 * included, and was given several events, they are offered once more, one by one, so that an event
 * that cannot be kept takes no other with it. One that is refused alone is counted ({@link
 * TraceManager#health()}) and logged once; it is not offered again, and the events that follow are.
 * After the last event, {@link #release} is called.
 *
 * <p><b>Everything else</b> may be called by any thread at any time.
 */
public interface TraceStore {

  /**
   * Returns a new store that keeps events in memory, for as long as itself is kept.
   *
   * @return an empty store
   */
  static TraceStore inMemory() {
    return new MemoryStore();
  }

  /**
   * Appends events of a trace. If it throws, none of them is there.
   *
   * @param traceId the trace
   * @param events the next ones, in order
   * @throws Exception if they cannot be kept
   */
  void append(String traceId, List<TraceEvent> events) throws Exception;

  /**
   * Reads events of a trace. Where events were lost, it goes on with the next one that is there.
   *
   * @param traceId the trace
   * @param after the sequence number before the first one that is wanted
   * @param limit how many at most; there may be fewer, but one at least if there is any
   * @return the events that follow, in order; none if there are none, or if the trace is unknown
   * @throws Exception if they cannot be read
   */
  List<TraceEvent> read(String traceId, long after, int limit) throws Exception;

  /**
   * Removes a trace.
   *
   * @param traceId the trace
   * @return true if it was there
   * @throws TraceInUseException if it is open
   * @throws Exception if it cannot be removed
   */
  boolean remove(String traceId) throws Exception;

  /**
   * Lists the traces that are kept.
   *
   * @return their ids
   * @throws Exception if they cannot be listed
   */
  List<String> list() throws Exception;

  /**
   * Takes a new trace, to which events are going to be appended.
   *
   * @param traceId the trace
   * @param at when it was opened
   * @throws IllegalArgumentException if it is kept already
   * @throws TraceInUseException if it is open
   * @throws Exception if it cannot be kept
   */
  default void create(String traceId, Instant at) throws Exception {}

  /**
   * Takes a trace that is kept, to which further events are going to be appended.
   *
   * @param traceId the trace
   * @return false if nothing may be appended: it is unknown, has been ended, or is archived
   * @throws TraceInUseException if it is open
   * @throws Exception if it cannot be taken
   */
  default boolean resume(String traceId) throws Exception {
    return true;
  }

  /**
   * Makes what was appended to a trace as durable as this store can. Also called while another
   * thread appends.
   *
   * @param traceId the trace
   * @throws Exception if that fails
   */
  default void flush(String traceId) throws Exception {}

  /**
   * Lets go of a trace that was taken; nothing more is going to be appended. Does nothing if it was
   * not taken.
   *
   * @param traceId the trace
   * @throws Exception if that fails; it is let go of all the same
   */
  default void release(String traceId) throws Exception {}

  /**
   * Reads all events of a trace, one after the other, and tells what is missing.
   *
   * @param traceId the trace
   * @param events gets them, in order, on the calling thread; what it throws is thrown on
   * @return what was found; no events if the trace is unknown
   * @throws Exception if they cannot be read
   */
  default StoreReport replay(String traceId, Consumer<? super TraceEvent> events) throws Exception {
    long count = 0;
    long last = 0;
    List<StoreReport.Damage> missing = new ArrayList<>();
    for (; ; ) {
      List<TraceEvent> page = read(traceId, last, 256);
      if (page.isEmpty()) {
        return new StoreReport(count, last, missing.size(), missing);
      }
      for (TraceEvent event : page) {
        if (event.sequence() != last + 1) {
          missing.add(new StoreReport.Damage(0, last + 1, event.sequence() - 1, "missing"));
        }
        count++;
        last = event.sequence();
        events.accept(event);
      }
    }
  }

  /**
   * Lists the traces that are kept under a day.
   *
   * @param day the day, in UTC
   * @return their ids
   * @throws Exception if they cannot be listed
   */
  default List<String> list(LocalDate day) throws Exception {
    List<String> found = new ArrayList<>();
    for (String traceId : list()) {
      StoredTrace trace = find(traceId);
      if (trace != null && trace.day().equals(day)) {
        found.add(traceId);
      }
    }
    return found;
  }

  /**
   * Describes a trace.
   *
   * @param traceId the trace
   * @return what is known of it, or null if it is unknown
   * @throws Exception if it cannot be read
   */
  default @Nullable StoredTrace find(String traceId) throws Exception {
    List<TraceEvent> first = read(traceId, 0, 1);
    if (first.isEmpty()) {
      return null;
    }
    TraceEvent[] last = {first.get(0)};
    replay(traceId, event -> last[0] = event);
    return new StoredTrace(
        traceId,
        first.get(0).timestamp().atZone(ZoneOffset.UTC).toLocalDate(),
        last[0] instanceof TraceEvent.Complete end ? end.status() : TraceStatus.INTERRUPTED,
        last[0].sequence(),
        0,
        false);
  }

  /**
   * Makes a trace one that is only read, and as small as this store can. It may be one that was
   * interrupted, which can then not go on.
   *
   * @param traceId the trace
   * @return true if this call has archived it; false if it is archived, or unknown
   * @throws TraceInUseException if it is open
   * @throws UnsupportedOperationException if this store has no archive
   * @throws Exception if it cannot be archived; it is as it was
   */
  default boolean archive(String traceId) throws Exception {
    throw new UnsupportedOperationException("A store must have an archive; this one has none");
  }
}
