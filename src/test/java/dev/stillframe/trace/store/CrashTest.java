package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceInUseException;
import dev.stillframe.trace.TraceStatus;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes is killed, without a chance to do anything, at a random moment. Every event
 * whose acknowledgement has reached this process is in the file, whole and once; and the trace is
 * free, and can go on, in the next process.
 *
 * <p>{@code -Dstillframe.crash.rounds=200} says how often.
 */
@Timeout(600)
class CrashTest {
  private static final List<String> SMALL =
      List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m");

  @TempDir private Path base;

  @Test
  void whatWasAcknowledgedIsThereWholeAndOnce() throws Exception {
    int rounds = Integer.getInteger("stillframe.crash.rounds", 20);
    Random random = new Random(42);
    int acknowledged = 0;
    int torn = 0;
    Map<String, Integer> last = new HashMap<>();
    for (int round = 0; round < rounds; round++) {
      // Ten rounds go on with one trace; then there is another one.
      String id = "t" + round / 10;
      boolean exists = round % 10 != 0;
      if (!exists) {
        last.clear();
      }
      int before = acknowledged;
      Process child =
          ChildJvm.start(SMALL, CrashChild.class, base.toString(), id, "2", String.valueOf(exists));
      int acknowledgements = 1 + random.nextInt(60);
      long nanos = random.nextInt(3_000_000);
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
        for (int i = 0; i < acknowledgements; i++) {
          acknowledged += note(out.readLine(), last) ? 1 : 0;
        }
        if (round % 10 == 3) {
          FileTraceStore other = FileTraceStore.in(base);
          assertThatExceptionOfType(TraceInUseException.class)
              .isThrownBy(() -> other.resume(id))
              .withMessageContaining("another process");
          assertThat(other.find(id).status()).isEqualTo(TraceStatus.RUNNING);
        }
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
          Thread.onSpinWait();
        }
        child.toHandle().destroyForcibly(); // SIGKILL; and what it has said can still be read
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          acknowledged += note(line, last) ? 1 : 0; // on its way when the child was killed
        }
      }
      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).as("it was killed").isEqualTo(137);
      assertThat(acknowledged).isGreaterThan(before);
      torn += check(round, id, last);
    }
    System.getLogger(getClass().getName())
        .log(
            System.Logger.Level.INFO,
            rounds
                + " kills, "
                + acknowledged
                + " acknowledged, "
                + torn
                + " torn lines at the end");
  }

  /** Notes an acknowledgement; a line that the kill has cut short is none. */
  private static boolean note(String line, Map<String, Integer> last) {
    if (line == null || !line.matches("n\\d+ \\d+")) {
      return false;
    }
    String[] parts = line.split(" ");
    last.merge(parts[0], Integer.parseInt(parts[1]), Math::max);
    return true;
  }

  private int check(int round, String id, Map<String, Integer> last) throws Exception {
    FileTraceStore store = FileTraceStore.in(base);
    List<TraceEvent> events = new ArrayList<>();
    StoreReport report = store.replay(id, events::add);
    assertThat(report.damage()).as("round %d", round).noneMatch(d -> d.first() > 0);
    Set<String> entries = new HashSet<>();
    long sequence = 0;
    for (TraceEvent event : events) {
      assertThat(event.sequence()).as("round %d", round).isEqualTo(++sequence);
      if (event instanceof TraceEvent.LogAdded log) {
        String entry = log.nodeId() + " " + log.arguments().get(1);
        assertThat(entries.add(entry)).as("round %d: %s is there once", round, entry).isTrue();
        int number = (Integer) log.arguments().get(1);
        assertThat(log.arguments().get(2)).isEqualTo("x".repeat(number * 37 % 500));
      }
    }
    last.forEach(
        (node, number) -> {
          for (int i = 0; i <= number; i++) {
            assertThat(entries).as("round %d", round).contains(node + " " + i);
          }
        });
    assertThat(store.find(id).status()).isEqualTo(TraceStatus.INTERRUPTED);
    return (int) report.damages();
  }
}
