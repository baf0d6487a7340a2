package dev.stillframe.trace.store;

import com.fasterxml.jackson.core.JsonParser;
import dev.stillframe.json.JsonException;
import dev.stillframe.json.JsonStreams;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of one trace in the order of their sequence numbers, and notes what is damaged
 * or missing. An event that stands too early waits for its turn, while as many follow as {@link
 * #HELD} allows; then what it waits for is missing. One that stands too late is not handed out, but
 * noted.
 */
final class EventLog implements Closeable {
  private static final int HELD = 256;
  private static final long HELD_BYTES = 4 << 20;
  private static final int NOTED = 1_000;

  private final RecordReader in;
  private final EventJson form;

  /** Null until the first event says it, if the caller does not know it. */
  private @Nullable String traceId;

  /** Events that wait for their turn, by sequence number. */
  private final TreeMap<Long, StoredRecord> held = new TreeMap<>();

  private long heldBytes;
  private boolean atEnd;

  /** The sequence number of the event that was handed out last. */
  private long last;

  private long placeSequence;
  private long placeOffset;
  private long events;
  private long damages;
  private final List<StoreReport.Damage> noted = new ArrayList<>();

  /**
   * Creates a log.
   *
   * @param traceId the trace, or null for that of the first event
   * @param after the sequence number of the last event before what is read
   */
  EventLog(RecordReader in, EventJson form, @Nullable String traceId, long after) {
    this.in = in;
    this.form = form;
    this.traceId = traceId;
    last = after;
  }

  /** Returns the next event, or null after the last one. */
  @Nullable TraceEvent next() throws IOException {
    for (; ; ) {
      StoredRecord first = held.isEmpty() ? null : held.firstEntry().getValue();
      if (first != null
          && (first.event().sequence() == last + 1
              || atEnd
              || held.size() > HELD
              || heldBytes > HELD_BYTES)) {
        held.pollFirstEntry();
        heldBytes -= first.bytes();
        return handOut(first);
      }
      if (atEnd) {
        return null;
      }
      StoredRecord read = readRecord();
      if (read != null && read.event().sequence() == last + 1) {
        if (held.isEmpty()) {
          placeSequence = last + 1;
          placeOffset = in.offset();
        }
        return handOut(read);
      }
      if (read != null) {
        hold(read);
      }
    }
  }

  private TraceEvent handOut(StoredRecord record) {
    long sequence = record.event().sequence();
    if (sequence > last + 1) {
      note(record.line(), last + 1, sequence - 1, "missing before this line");
    }
    last = sequence;
    events++;
    return record.event();
  }

  private void hold(StoredRecord record) {
    long sequence = record.event().sequence();
    if (sequence <= last || held.containsKey(sequence)) {
      note(record.line(), sequence, sequence, "stands in the wrong place, or twice; not read");
    } else {
      held.put(sequence, record);
      heldBytes += record.bytes();
    }
  }

  /** Returns the next record; null if there is damage in its place, or the end. */
  private @Nullable StoredRecord readRecord() throws IOException {
    if (!in.next()) {
      atEnd = true;
      IOException damage = in.damage();
      if (damage != null) {
        note(in.line(), 0, 0, "the archive is damaged from here on: " + damage.getMessage());
      }
      return null;
    }
    if (!in.isRecord()) {
      note(in.line(), 0, 0, "damaged");
      return null;
    }
    try (JsonParser parser =
        JsonStreams.factory().createParser(in.bytes(), in.recordStart(), in.recordLength())) {
      TraceEvent event = EventReader.read(form.json(), parser);
      if (traceId == null) {
        traceId = event.traceId();
      }
      if (event.traceId().equals(traceId) && !(event instanceof TraceEvent.Gap)) {
        return new StoredRecord(event, in.line(), in.recordLength());
      }
      note(in.line(), 0, 0, "an event of trace '" + event.traceId() + "' of type " + event.type());
    } catch (JsonException foreign) {
      note(in.line(), 0, 0, String.valueOf(foreign.getMessage()));
    }
    return null;
  }

  private void note(long line, long first, long end, String what) {
    damages++;
    if (noted.size() < NOTED) {
      noted.add(new StoreReport.Damage(line, first, end, what));
    }
  }

  /** Returns where the file goes on behind what was read. */
  long offset() {
    return in.offset();
  }

  /** Returns the sequence number of an event behind which reading can go on; 0 if there is none. */
  long placeSequence() {
    return placeSequence;
  }

  /**
   * Returns where that is: right behind the event, and not behind what follows it, which may be a
   * line that is just being written.
   */
  long placeOffset() {
    return placeOffset;
  }

  StoreReport report() {
    return new StoreReport(events, events == 0 ? 0 : last, damages, noted);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
