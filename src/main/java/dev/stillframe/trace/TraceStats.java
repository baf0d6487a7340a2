package dev.stillframe.trace;

/**
 * Counters of a trace.
 *
 * @param accepted commands that were accepted, readings included
 * @param executed commands that were executed, readings included
 * @param refused calls that were refused since the trace was closed or full
 * @param failed commands that threw in this library; none, unless it has a fault
 * @param queueDepth commands that are accepted and not executed
 * @param events events so far
 * @param oldestEvent the sequence number of the oldest event that is kept in memory
 * @param subscribers readers that are subscribed
 * @param subscriberFailures calls of subscribers that threw
 * @param gaps gaps that readers were told of
 * @param unwritten events that the store has yet to write; 0 without a store
 * @param failedWrites events that the store has failed to write
 */
public record TraceStats(
    long accepted,
    long executed,
    long refused,
    long failed,
    long queueDepth,
    long events,
    long oldestEvent,
    int subscribers,
    long subscriberFailures,
    long gaps,
    long unwritten,
    long failedWrites) {}
