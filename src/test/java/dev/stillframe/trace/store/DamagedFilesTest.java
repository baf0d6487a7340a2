package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are damaged in any way: bits flipped, bytes cut out, lines swapped, blocks of zeros,
 * lines run together. Reading them throws nothing, ends, hands out nothing but the events that were
 * written, and loses no good line without a word.
 */
@Timeout(300)
class DamagedFilesTest {
  private static final int FILES = 10_000;
  private static final String ID = "t";

  @TempDir private Path folder;

  /** The lines of a trace, line ends included. */
  private List<byte[]> lines;

  private List<TraceEvent> written;

  private Path write(int seed) throws IOException {
    Path base = folder.resolve("f" + seed);
    TraceManager trace =
        TraceManager.open(
            TraceOptions.builder()
                .id(ID)
                .store(FileTraceStore.builder(base).durability(Durability.NONE).build())
                .build());
    RandomTrace random = new RandomTrace(seed);
    random.run(trace, 40);
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    node.info("a long one {}", "x".repeat(10_000));
    node.info("the last");
    trace.close();
    written = trace.eventList(0);
    try (var found = Files.walk(base)) {
      Path file = found.filter(p -> p.endsWith(Folders.EVENTS)).findFirst().orElseThrow();
      lines = new ArrayList<>();
      byte[] all = Files.readAllBytes(file);
      for (int from = 0, at = 0; at < all.length; at++) {
        if (all[at] == '\n') {
          lines.add(Arrays.copyOfRange(all, from, at + 1));
          from = at + 1;
        }
      }
      assertThat(lines).hasSameSizeAs(written);
      return file;
    }
  }

  /** What is left of the file, and which of its events are still whole in it. */
  private static final class Damaged {
    final List<byte[]> lines = new ArrayList<>();

    /** Where each line came from. */
    final List<Integer> origin = new ArrayList<>();

    final Set<Integer> touched = new HashSet<>();

    byte[] bytes() {
      int length = lines.stream().mapToInt(line -> line.length).sum();
      byte[] all = new byte[length];
      int at = 0;
      for (byte[] line : lines) {
        System.arraycopy(line, 0, all, at, line.length);
        at += line.length;
      }
      return all;
    }

    /** Returns where a byte of the file is: its line, and its place in that. */
    int[] place(int offset) {
      int line = 0;
      int left = offset;
      while (left >= lines.get(line).length) {
        left -= lines.get(line++).length;
      }
      return new int[] {line, left};
    }

    int length() {
      return lines.stream().mapToInt(line -> line.length).sum();
    }

    void touch(int line, int at) {
      // The line end is no part of the record; nothing is lost with it.
      if (at < lines.get(line).length - 1) {
        touched.add(origin.get(line));
      }
    }

    void set(int offset, byte value) {
      int[] place = place(offset);
      lines.get(place[0])[place[1]] = value;
      touch(place[0], place[1]);
    }
  }

  private Damaged damage(Random random) {
    Damaged damaged = new Damaged();
    for (int i = 0; i < lines.size(); i++) {
      damaged.lines.add(lines.get(i).clone());
      damaged.origin.add(i);
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      int length = damaged.length();
      if (length == 0) {
        return damaged;
      }
      int offset = random.nextInt(length);
      int[] place = damaged.place(offset);
      switch (random.nextInt(7)) {
        case 0 -> {
          byte old = damaged.lines.get(place[0])[place[1]];
          damaged.set(offset, (byte) (old ^ (1 << random.nextInt(8))));
        }
        case 1 -> {
          int end = Math.min(length, offset + 1 + random.nextInt(random.nextBoolean() ? 4 : 4_096));
          for (int at = offset; at < end; at++) {
            damaged.set(at, (byte) 0);
          }
        }
        case 2 -> {
          int count = 1 + random.nextInt(random.nextBoolean() ? 3 : 300);
          for (int c = Math.min(count, length - offset); c > 0; c--) {
            int[] at = damaged.place(offset);
            damaged.touch(at[0], at[1]);
            byte[] line = damaged.lines.get(at[0]);
            byte[] shorter = new byte[line.length - 1];
            System.arraycopy(line, 0, shorter, 0, at[1]);
            System.arraycopy(line, at[1] + 1, shorter, at[1], shorter.length - at[1]);
            damaged.lines.set(at[0], shorter); // run together with the next, if it was the end
          }
        }
        case 3 -> {
          int other = random.nextInt(damaged.lines.size());
          byte[] line = damaged.lines.get(other);
          Integer from = damaged.origin.get(other);
          damaged.lines.set(other, damaged.lines.get(place[0]));
          damaged.origin.set(other, damaged.origin.get(place[0]));
          damaged.lines.set(place[0], line);
          damaged.origin.set(place[0], from);
        }
        case 4 -> {
          damaged.lines.add(place[0], damaged.lines.get(place[0]).clone());
          damaged.origin.add(place[0], damaged.origin.get(place[0]));
        }
        case 5 -> {
          for (int line = damaged.lines.size() - 1; line > place[0]; line--) {
            damaged.touched.add(damaged.origin.get(line));
            damaged.lines.remove(line);
            damaged.origin.remove(line);
          }
          damaged.touch(place[0], place[1]);
          byte[] torn = Arrays.copyOf(damaged.lines.get(place[0]), place[1]);
          damaged.lines.set(place[0], torn);
        }
        default -> {
          byte[] junk = new byte[1 + random.nextInt(50)];
          random.nextBytes(junk);
          byte[] line = damaged.lines.get(place[0]);
          byte[] longer = new byte[line.length + junk.length];
          System.arraycopy(junk, 0, longer, 0, junk.length);
          System.arraycopy(line, 0, longer, junk.length, line.length);
          damaged.lines.set(place[0], longer);
          damaged.touched.add(damaged.origin.get(place[0])); // it may still be found
        }
      }
    }
    return damaged;
  }

  @Test
  void noGoodLineIsLostWithoutAWord() throws Exception {
    EventJson form = EventJson.standard();
    int whole = 0;
    for (int seed = 0; seed < FILES; seed++) {
      if (seed % 500 == 0) {
        write(seed);
      }
      Damaged damaged = damage(new Random(seed));
      byte[] bytes = damaged.bytes();
      List<TraceEvent> read = new ArrayList<>();
      StoreReport report;
      try (EventLog log =
          new EventLog(
              new RecordReader(new ByteArrayInputStream(bytes), 0, 1 << 20), form, ID, 0)) {
        for (TraceEvent event = log.next(); event != null; event = log.next()) {
          read.add(event);
        }
        report = log.report();
      }
      check(seed, read, report, damaged);
      whole += report.isWhole() ? 1 : 0;
    }
    assertThat(whole)
        .as("files in which nothing but the last lines is missing")
        .isBetween(1, FILES / 2);
  }

  private void check(int seed, List<TraceEvent> read, StoreReport report, Damaged damaged) {
    Set<Long> numbers = new TreeSet<>();
    long last = 0;
    for (TraceEvent event : read) {
      assertThat(event.sequence()).as("seed %d", seed).isGreaterThan(last);
      last = event.sequence();
      numbers.add(last);
      assertThat(event).as("seed %d", seed).isEqualTo(written.get((int) last - 1));
    }
    Set<Long> told = new TreeSet<>();
    for (StoreReport.Damage damage : report.damage()) {
      for (long missing = damage.first(); missing > 0 && missing <= damage.last(); missing++) {
        told.add(missing);
      }
    }
    for (int i = 0; i < written.size(); i++) {
      long sequence = i + 1;
      if (!damaged.touched.contains(i)) {
        assertThat(numbers.contains(sequence) || told.contains(sequence))
            .as("seed %d: event %d is read, or told: %s", seed, sequence, report)
            .isTrue();
      }
      if (sequence < last && !numbers.contains(sequence)) {
        assertThat(told).as("seed %d: %s", seed, report).contains(sequence);
      }
    }
  }

  /** Some of them as a whole: found in a folder, loaded, and gone on with. */
  @Test
  void damagedTracesLoadAndGoOn() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      Path file = write(seed);
      Damaged damaged = damage(new Random(seed));
      Files.write(file, damaged.bytes());
      Path base = folder.resolve("f" + seed);
      FileTraceStore store = FileTraceStore.builder(base).durability(Durability.NONE).build();
      List<TraceEvent> before = new ArrayList<>();
      store.replay(ID, before::add);
      if (before.isEmpty()) {
        continue;
      }
      TraceManager loaded = TraceRegistry.over(store).load(ID, TraceOptions.defaults());
      TraceNode node = loaded.add("in", NodeOptions.label("after"));
      node.info("1").info("2").complete("out");
      loaded.close();
      assertThat(loaded.health().failedWrites()).isZero();
      List<TraceEvent> after = new ArrayList<>();
      StoreReport report = store.replay(ID, after::add);
      assertThat(after).as("seed %d", seed).startsWith(before.toArray(TraceEvent[]::new));
      assertThat(after.size())
          .as("seed %d: %s", seed, report)
          .isGreaterThanOrEqualTo(before.size() + 4);
      TraceManager again = TraceRegistry.over(store).load(ID, TraceOptions.defaults());
      assertThat(again.node(node.id())).as("seed %d", seed).isEqualTo(loaded.node(node.id()));
      again.close();
    }
  }
}
