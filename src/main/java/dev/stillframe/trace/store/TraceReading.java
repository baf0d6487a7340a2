package dev.stillframe.trace.store;

import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceStatus;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads the events of traces from their folders. It holds no file open between calls. */
final class TraceReading {
  /** How much of the end of a file is read first to see how it ends. */
  private static final long TAIL = 1 << 16;

  private static final int PAGE_BYTES = 1 << 20;
  private static final int REMEMBERED_TRACES = 64;
  private static final int REMEMBERED_PLACES = 4_096;

  private final EventJson form;
  private final int longest;

  /**
   * Where in their files the traces read last go on after some sequence numbers, so that reading on
   * need not begin at the start. Guarded by itself.
   */
  private final Map<String, Places> places =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Places> eldest) {
          return size() > REMEMBERED_TRACES;
        }
      };

  /** Places in one file, by sequence number. */
  private static final class Places {
    final Object file;
    final NavigableMap<Long, Long> offsets = new TreeMap<>();

    Places(Object file) {
      this.file = file;
    }
  }

  TraceReading(EventJson form, int longest) {
    this.form = form;
    this.longest = longest;
  }

  private EventLog open(Path folder, String traceId, long offset, long after) throws IOException {
    InputStream in;
    try {
      in = new FileInputStream(folder.resolve(Folders.EVENTS).toFile());
    } catch (FileNotFoundException archived) {
      in = Archives.reading(new FileInputStream(folder.resolve(Folders.ARCHIVE).toFile()));
    }
    boolean opened = false;
    try {
      in.skipNBytes(offset);
      opened = true;
    } catch (EOFException | ZipException damaged) {
      opened = true; // which whoever reads on is told
    } finally {
      if (!opened) {
        in.close();
      }
    }
    return new EventLog(new RecordReader(in, offset, longest), form, traceId, after);
  }

  StoreReport replay(Path folder, String traceId, Consumer<? super TraceEvent> events)
      throws IOException {
    try (EventLog log = open(folder, traceId, 0, 0)) {
      return replay(log, events);
    }
  }

  /** Reads a file or an archive, wherever it is, whose trace is that of its first event. */
  StoreReport replayFile(Path file, Consumer<? super TraceEvent> events) throws IOException {
    BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try (in) {
      in.mark(2);
      boolean isArchive = in.read() == 0x1f && in.read() == 0x8b;
      in.reset();
      InputStream lines = isArchive ? Archives.reading(in) : in;
      return replay(new EventLog(new RecordReader(lines, 0, longest), form, null, 0), events);
    }
  }

  private static StoreReport replay(EventLog log, Consumer<? super TraceEvent> events)
      throws IOException {
    for (TraceEvent event = log.next(); event != null; event = log.next()) {
      events.accept(event);
    }
    return log.report();
  }

  List<TraceEvent> read(Path folder, String traceId, long after, int limit) throws IOException {
    List<TraceEvent> events = new ArrayList<>();
    Object file = fileOf(folder);
    Map.Entry<Long, Long> from = placeBefore(traceId, file, after);
    try (EventLog log = open(folder, traceId, from.getValue(), from.getKey())) {
      long start = 0;
      while (events.size() < limit && (events.isEmpty() || log.offset() - start < PAGE_BYTES)) {
        TraceEvent event = log.next();
        if (event == null) {
          break;
        }
        if (event.sequence() > after) {
          start = events.isEmpty() ? log.offset() : start;
          events.add(event);
        }
      }
      if (log.placeSequence() > 0) {
        remember(traceId, file, log.placeSequence(), log.placeOffset());
      }
    }
    return events;
  }

  private static @Nullable Object fileOf(Path folder) throws IOException {
    Object events = Ownership.identity(folder.resolve(Folders.EVENTS));
    return events == null ? Ownership.identity(folder.resolve(Folders.ARCHIVE)) : events;
  }

  private Map.Entry<Long, Long> placeBefore(String traceId, @Nullable Object file, long after) {
    synchronized (places) {
      Places known = places.get(traceId);
      Map.Entry<Long, Long> place =
          known == null || !Objects.equals(known.file, file)
              ? null
              : known.offsets.floorEntry(after);
      return place == null ? Map.entry(0L, 0L) : place;
    }
  }

  private void remember(String traceId, @Nullable Object file, long sequence, long offset) {
    if (file == null) {
      return;
    }
    synchronized (places) {
      Places known = places.get(traceId);
      if (known == null || !known.file.equals(file)) {
        known = new Places(file);
        places.put(traceId, known);
      }
      known.offsets.put(sequence, offset);
      if (known.offsets.size() > REMEMBERED_PLACES) {
        known.offsets.pollFirstEntry();
      }
    }
  }

  void forget(String traceId) {
    synchronized (places) {
      places.remove(traceId);
    }
  }

  /** Returns how a trace was ended, or that it was interrupted. */
  TraceStatus status(Path folder, String traceId) throws IOException {
    TraceEvent last = last(folder, traceId);
    return last instanceof TraceEvent.Complete complete
        ? complete.status()
        : TraceStatus.INTERRUPTED;
  }

  long lastSequence(Path folder, String traceId) throws IOException {
    TraceEvent last = last(folder, traceId);
    return last == null ? 0 : last.sequence();
  }

  /** Finds the last event: in the end of the file, or in all of an archive. */
  private @Nullable TraceEvent last(Path folder, String traceId) throws IOException {
    long length = folder.resolve(Folders.EVENTS).toFile().length(); // 0 if it is archived
    for (long tail = TAIL; ; tail *= 16) {
      long offset = Math.max(0, length - tail);
      TraceEvent last = null;
      try (EventLog log = open(folder, traceId, offset, 0)) {
        for (TraceEvent event = log.next(); event != null; event = log.next()) {
          last = event;
        }
      }
      if (last != null || offset == 0) {
        return last;
      }
    }
  }
}
