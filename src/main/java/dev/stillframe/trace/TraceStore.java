package dev.stillframe.trace;

import java.util.List;

/**
 * Keeps the events of traces outside of memory.
 *
 * <p>For one trace at a time, {@link #append} is called by one thread at a time, in the order of
 * the events, with no lock of the library held; that thread is one of the library's own. It may
 * block: producers of that trace wait once {@link TraceOptions.Builder#queueCapacity(int)} events
 * are unwritten. What it throws, an {@link Error} included, is counted ({@link
 * TraceStats#failedWrites()}) and logged once, and the events that follow are still appended.
 */
public interface TraceStore {

  /**
   * Appends events of a trace.
   *
   * @param traceId the trace
   * @param events the next ones, in order
   * @throws Exception if they cannot be kept
   */
  void append(String traceId, List<TraceEvent> events) throws Exception;

  /**
   * Reads events of a trace.
   *
   * @param traceId the trace
   * @param after the sequence number before the first one that is wanted
   * @param limit how many at most
   * @return the events that follow, in order; none if there are none, or if the trace is unknown
   * @throws Exception if they cannot be read
   */
  List<TraceEvent> read(String traceId, long after, int limit) throws Exception;

  /**
   * Removes a trace.
   *
   * @param traceId the trace
   * @return true if it was there
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
}
