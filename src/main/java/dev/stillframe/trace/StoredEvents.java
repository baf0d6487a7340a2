package dev.stillframe.trace;

import dev.stillframe.StillframeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes a trace in its store, as it is opened, and hands the engine what is there. */
final class StoredEvents {
  private static final int BATCH = 256;

  private final TraceEngine engine;
  private final TraceStore store;
  private final List<TraceEvent> batch = new ArrayList<>();
  private long last;
  private TraceEvent.@Nullable Complete complete;

  StoredEvents(TraceEngine engine, TraceStore store) {
    this.engine = engine;
    this.store = store;
  }

  /** A call of the store. */
  private interface Call<R> {
    R run() throws Exception;
  }

  private <R> R call(String what, Call<R> call) {
    try {
      return call.run();
    } catch (StillframeException | IllegalArgumentException refused) {
      throw refused;
    } catch (Exception thrown) {
      throw new StillframeException(
          "The store must be able to " + what + " trace '" + engine.id + "'", thrown);
    }
  }

  void create(Instant at) {
    call(
        "keep",
        () -> {
          store.create(engine.id, at);
          return true;
        });
  }

  /** Reads all events. If this throws, the store has let go of the trace. */
  StoreReport load() {
    boolean taken = call("resume", () -> store.resume(engine.id));
    boolean loaded = false;
    try {
      StoreReport report = call("read", () -> store.replay(engine.id, this::add));
      engine.restore(batch);
      requireUsable(report, taken);
      loaded = true;
      return report;
    } finally {
      if (taken && !loaded) {
        call(
            "let go of",
            () -> {
              store.release(engine.id);
              return true;
            });
      }
    }
  }

  private void add(TraceEvent event) {
    if (event.sequence() <= last) {
      throw new StillframeException(
          "A store must return events in order; of trace '"
              + engine.id
              + "', event "
              + event.sequence()
              + " follows event "
              + last);
    }
    last = event.sequence();
    batch.add(event);
    if (event instanceof TraceEvent.Complete end) {
      complete = end;
    }
    if (batch.size() == BATCH) {
      engine.restore(batch);
      batch.clear();
    }
  }

  private void requireUsable(StoreReport report, boolean taken) {
    if (report.events() == 0 && !report.isWhole()) {
      throw new StillframeException(
          "A trace must have an event that can be read to be loaded; '"
              + engine.id
              + "' has none: "
              + report.damage().get(0));
    }
    if (report.events() == 0) {
      throw new IllegalArgumentException(
          "A trace must be stored to be loaded; '" + engine.id + "' is not");
    }
    if (!taken && complete == null) {
      throw new StillframeException(
          "A trace must have been ended to be loaded from an archive; in that of '"
              + engine.id
              + "' there is no end"
              + (report.isWhole()
                  ? ""
                  : ", and it is damaged: " + report.damage().get(report.damage().size() - 1)));
    }
  }

  /** Returns how the trace was ended, or null if it was not. */
  @Nullable Ending ending() {
    if (complete == null) {
      return null;
    }
    Ending ending = new Ending(engine, complete.status(), complete.reason(), complete.timestamp());
    ending.hasHappened();
    return ending;
  }
}
