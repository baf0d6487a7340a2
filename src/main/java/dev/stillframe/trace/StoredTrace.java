package dev.stillframe.trace;

import java.time.LocalDate;

/**
 * What a store says of a trace without reading all of it.
 *
 * @param id the id of the trace
 * @param day the day under which it is kept, in UTC
 * @param status its outcome; running if it is open somewhere; else interrupted, and it may be
 *     loaded and go on
 * @param lastSequence the number of its last event, or 0
 * @param bytes how much room it takes, or 0 if that is not known
 * @param isArchived whether it is kept for reading only
 */
public record StoredTrace(
    String id,
    LocalDate day,
    TraceStatus status,
    long lastSequence,
    long bytes,
    boolean isArchived) {}
