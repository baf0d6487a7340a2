package dev.stillframe.trace.store;

import dev.stillframe.trace.TraceEvent;

/**
 * An event, and where it was found.
 *
 * @param event the event
 * @param line the line
 * @param bytes how long the record is
 */
record StoredRecord(TraceEvent event, long line, int bytes) {}
