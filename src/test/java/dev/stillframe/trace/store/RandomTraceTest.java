package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceFold;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import dev.stillframe.trace.TraceSnapshot;
import dev.stillframe.trace.TraceStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any trace, written and loaded, is equal, and goes on as if nothing had been. */
class RandomTraceTest {
  @TempDir private Path folder;

  @Test
  void anyTraceWrittenAndLoadedIsEqual() throws Exception {
    EventJson form = EventJson.standard();
    FileTraceStore store = FileTraceStore.builder(folder).durability(Durability.NONE).build();
    TraceRegistry registry = TraceRegistry.over(store);
    for (int seed = 0; seed < 300; seed++) {
      RandomTrace random = new RandomTrace(seed);
      String id = "trace " + seed + random.text();
      TraceManager trace =
          registry.open(
              TraceOptions.builder()
                  .id(id)
                  .createdBy(random.text())
                  .metadata(random.map(0))
                  .build());
      for (int part = 0; part < 3; part++) {
        random.run(trace, 40);
        if (part == 2 && seed % 2 == 0) {
          trace.cancel(random.text());
        }
        trace.close();
        List<TraceEvent> events = trace.eventList(0);
        assertThat(trace.health().failedWrites()).as("seed %d", seed).isZero();
        List<TraceEvent> stored = new ArrayList<>();
        StoreReport report = store.replay(id, stored::add);
        assertThat(report.isWhole()).as("seed %d: %s", seed, report).isTrue();
        assertThat(stored).as("seed %d", seed).isEqualTo(events);
        for (TraceEvent event : events) {
          String line = form.write(event);
          assertThat(line).doesNotContainPattern("[\\x00-\\x1f\\u0085\\u2028\\u2029]");
          assertThat(form.read(line)).as("seed %d", seed).isEqualTo(event);
        }
        requireSame(folded(events), trace.snapshot());
        TraceManager loaded = registry.load(id, TraceOptions.defaults());
        assertThat(loaded.snapshot()).as("seed %d", seed).isEqualTo(trace.snapshot());
        assertThat(loaded.logs()).isEqualTo(trace.logs());
        assertThat(loaded.eventList(0)).isEqualTo(events);
        trace = loaded;
      }
      trace.close();
    }
  }

  private static TraceSnapshot folded(List<TraceEvent> events) {
    TraceFold fold = new TraceFold();
    events.forEach(fold);
    return fold.snapshot();
  }

  /** Apart from a status that no event tells: that a trace was released before it was ended. */
  private static void requireSame(TraceSnapshot folded, TraceSnapshot released) {
    TraceStatus status =
        folded.status() == TraceStatus.RUNNING ? TraceStatus.INTERRUPTED : folded.status();
    assertThat(released)
        .isEqualTo(
            new TraceSnapshot(
                folded.id(),
                folded.createdBy(),
                folded.metadata(),
                status,
                folded.reason(),
                folded.createdAt(),
                folded.endedAt(),
                folded.sequence(),
                folded.nodes(),
                folded.currentIds(),
                folded.spaces()));
  }
}
