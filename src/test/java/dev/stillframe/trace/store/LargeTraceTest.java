package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.trace.LogLevel;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A record or file too large to load in one piece: one event of 50 MB of text, 300 MB in all,
 * written, listed, replayed, archived, loaded and paged through by a process with a heap of 256 MB.
 */
@Timeout(300)
class LargeTraceTest {
  private static final String ID = "large";
  private static final int TEXT = 50_000_000;

  @TempDir private Path base;

  @Test
  void threeHundredMegabytesFitAHeapOf256() throws Exception {
    Process child = ChildJvm.start(List.of("-Xmx256m"), LargeTraceTest.class, base.toString());
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(said).endsWith("done\n");
    assertThat(child.exitValue()).isZero();
  }

  /** The child. */
  public static void main(String[] args) throws Exception {
    FileTraceStore store =
        FileTraceStore.builder(Path.of(args[0])).durability(Durability.NONE).build();
    long events = write(store);
    require(store.list().equals(List.of(ID)));
    require(store.find(ID).bytes() > 300_000_000);
    require(store.find(ID).lastSequence() == events);
    long[] longest = {0};
    StoreReport report =
        store.replay(ID, event -> longest[0] = Math.max(longest[0], length(event)));
    require(report.isWhole() && report.events() == events && longest[0] == TEXT);
    long read = 0;
    for (List<TraceEvent> page = store.read(ID, 0, 256); !page.isEmpty(); ) {
      read += page.size();
      page = store.read(ID, read, 256);
    }
    require(read == events);
    TraceManager loaded =
        TraceRegistry.over(store).load(ID, TraceOptions.builder().retainEvents(1_000).build());
    require(loaded.stats().events() == events && loaded.loadReport().isWhole());
    loaded.close();
    require(store.archive(ID));
    require(store.replay(ID, event -> {}).equals(report));
    System.out.println("done");
  }

  private static long write(FileTraceStore store) throws Exception {
    store.create(ID, Instant.EPOCH);
    String kilobyte = "0123456789abcdef".repeat(64);
    long sequence = 0;
    while (sequence < 230_000) {
      List<TraceEvent> batch = new ArrayList<>();
      for (int i = 0; i < 250; i++) {
        batch.add(log(++sequence, kilobyte));
      }
      store.append(ID, batch);
      if (sequence == 100_000) {
        store.append(ID, List.of(log(++sequence, "x".repeat(TEXT))));
      }
    }
    store.release(ID);
    return sequence;
  }

  private static TraceEvent log(long sequence, String text) {
    return new TraceEvent.LogAdded(
        ID, sequence, Instant.EPOCH, "n1", LogLevel.INFO, "{}", List.of(text));
  }

  private static int length(TraceEvent event) {
    return ((String) ((TraceEvent.LogAdded) event).arguments().get(0)).length();
  }

  private static void require(boolean expected) {
    if (!expected) {
      throw new AssertionError();
    }
  }
}
