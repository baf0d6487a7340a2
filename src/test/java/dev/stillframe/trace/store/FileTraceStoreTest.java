package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stillframe.StillframeException;
import dev.stillframe.trace.LogLevel;
import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.StoreHealth;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceInUseException;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import dev.stillframe.trace.TraceStatus;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FileTraceStoreTest {
  private static final Instant AT = Instant.parse("2026-02-03T04:05:06Z");
  private static final String ID = "20260203000000000001";

  @TempDir private Path temporary;

  private Path base() {
    return temporary.resolve("base");
  }

  private FileTraceStore store() {
    return FileTraceStore.builder(base()).durability(Durability.NONE).build();
  }

  private Path file(String id) {
    return base().resolve("20260203").resolve(SafeNames.of(id)).resolve(Folders.EVENTS);
  }

  private static TraceEvent log(long sequence) {
    return log(ID, sequence, "event " + sequence);
  }

  private static TraceEvent log(String id, long sequence, String text) {
    return new TraceEvent.LogAdded(id, sequence, AT, "n1", LogLevel.INFO, text, List.of());
  }

  private static List<TraceEvent> logs(long first, long last) {
    return IntStream.rangeClosed((int) first, (int) last).mapToObj(i -> log(i)).toList();
  }

  private List<TraceEvent> fill(FileTraceStore store, int events) throws IOException {
    store.create(ID, AT);
    store.append(ID, logs(1, events));
    store.release(ID);
    return logs(1, events);
  }

  private static StoreReport replay(FileTraceStore store, List<TraceEvent> events)
      throws IOException {
    return store.replay(ID, events::add);
  }

  // The file

  @Test
  void oneEventALineWithItsChecksum() throws Exception {
    fill(store(), 2);
    assertThat(Files.readAllLines(file(ID)))
        .containsExactly(
            "{ \"sequence\":1,\"type\":\"log_added\",\"trace_id\":\"20260203000000000001\","
                + "\"node_id\":\"n1\",\"timestamp\":1770091506000,"
                + "\"data\":{\"level\":\"info\",\"message\":\"event 1\"},\"crc\":\""
                + checksum(1)
                + "\"}",
            "{ \"sequence\":2,\"type\":\"log_added\",\"trace_id\":\"20260203000000000001\","
                + "\"node_id\":\"n1\",\"timestamp\":1770091506000,"
                + "\"data\":{\"level\":\"info\",\"message\":\"event 2\"},\"crc\":\""
                + checksum(2)
                + "\"}");
  }

  private static String checksum(long sequence) {
    String line = "{ " + EventJson.standard().write(log(sequence)).substring(1);
    CRC32C crc = new CRC32C();
    crc.update(line.substring(0, line.length() - 1).getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }

  @Test
  void theDayIsThatOfTheIdElseOfTheOpening() throws Exception {
    FileTraceStore store = store();
    store.create("20251231x", AT);
    store.append("20251231x", List.of(log("20251231x", 1, "")));
    store.create("20259931x", AT);
    store.append("20259931x", List.of(log("20259931x", 1, "")));
    store.close();
    assertThat(base().resolve("20251231/20251231x/events.jsonl")).exists();
    assertThat(base().resolve("20260203/20259931x/events.jsonl")).exists();
    assertThatIllegalStateException().isThrownBy(() -> store.create("t", AT));
    assertThatIllegalStateException()
        .isThrownBy(() -> store.append(ID, List.of(log(1))))
        .withMessageContaining("closed");
  }

  /** Appending after a torn last line. */
  @Test
  void appendingAfterATornLastLine() throws Exception {
    fill(store(), 5);
    int length = (int) Files.size(file(ID));
    byte[] whole = Files.readAllBytes(file(ID));
    for (int cut = 1; cut < length / 5; cut += 7) {
      Files.write(file(ID), Arrays.copyOf(whole, length - cut));
      FileTraceStore store = store();
      List<TraceEvent> before = new ArrayList<>();
      StoreReport torn = replay(store, before);
      assertThat(before).isEqualTo(logs(1, cut == 1 ? 5 : 4));
      assertThat(torn.damages()).isEqualTo(cut == 1 ? 0 : 1);
      TraceManager loaded = TraceRegistry.over(store).load(ID, TraceOptions.defaults());
      assertThat(loaded.loadReport()).isEqualTo(torn);
      TraceNode node = loaded.add("in", NodeOptions.label("x"));
      node.info("one").complete();
      loaded.close();
      List<TraceEvent> after = new ArrayList<>();
      StoreReport report = replay(store, after);
      assertThat(after).isEqualTo(loaded.eventList(0)).hasSize(before.size() + 3);
      assertThat(report.damages()).as("the repair is told").isEqualTo(torn.damages());
      assertThat(Files.readAllLines(file(ID)))
          .as("the fragment has a line of its own")
          .hasSize(8)
          .allMatch(line -> line.startsWith("{ \"sequence\":"));
      assertThat(report.damage()).allMatch(d -> d.line() == 5 && d.what().contains("damaged"));
    }
  }

  /** The reader stops at the first bad line. */
  @Test
  void theReaderDoesNotStopAtTheFirstBadLine() throws Exception {
    fill(store(), 1_000);
    List<String> lines = new ArrayList<>(Files.readAllLines(file(ID)));
    lines.set(399, lines.get(399).substring(0, 40));
    lines.set(699, "\0".repeat(lines.get(699).length()));
    Files.writeString(file(ID), String.join("\n", lines) + "\n");
    List<TraceEvent> events = new ArrayList<>();
    StoreReport report = replay(store(), events);
    List<TraceEvent> good = new ArrayList<>(logs(1, 1_000));
    good.removeAll(List.of(log(400), log(700)));
    assertThat(events).isEqualTo(good);
    assertThat(report.damage())
        .anyMatch(d -> d.line() == 400 && d.first() == 0)
        .anyMatch(d -> d.line() == 700 && d.first() == 0)
        .anyMatch(d -> d.first() == 400 && d.last() == 400)
        .anyMatch(d -> d.first() == 700 && d.last() == 700)
        .hasSize(4);
    TraceManager loaded = TraceRegistry.over(store()).load(ID, TraceOptions.defaults());
    assertThat(loaded.loadReport()).isEqualTo(report);
    assertThat(loaded.eventList(0)).hasSize(1_000);
    assertThat(loaded.eventList(0).get(399))
        .isInstanceOfSatisfying(
            TraceEvent.Gap.class,
            gap -> {
              assertThat(gap.firstMissing()).isEqualTo(400);
              assertThat(gap.sequence()).isEqualTo(400);
            });
    assertThat(loaded.logs()).hasSize(998);
    loaded.handle("n1").info("goes on");
    assertThat(loaded.eventList(1_000)).extracting(TraceEvent::sequence).containsExactly(1_001L);
    loaded.close();
  }

  @Test
  void anEventOfAnotherTraceIsNotRead() throws Exception {
    fill(store(), 2);
    String foreign = "20260203000000000002";
    FileTraceStore store = store();
    store.create(foreign, AT);
    store.append(foreign, List.of(log(foreign, 3, "foreign")));
    store.close();
    Files.write(file(ID), Files.readAllBytes(file(foreign)), StandardOpenOption.APPEND);
    List<TraceEvent> events = new ArrayList<>();
    StoreReport report = replay(store(), events);
    assertThat(events).isEqualTo(logs(1, 2));
    assertThat(report.damage()).hasSize(1);
    assertThat(report.damage().get(0).toString()).startsWith("line 3").contains(foreign);
  }

  @Test
  void nothingOutsideOfTheBaseIsTouched() throws Exception {
    Path outside = temporary.resolve("out");
    Files.createDirectories(outside);
    Files.writeString(outside.resolve("events.jsonl"), "kept");
    FileTraceStore store = store();
    for (String id : List.of("../../out", outside.toString(), "..", "../out", "a/../../b")) {
      store.create(id, AT);
      store.append(id, List.of(log(id, 1, "x")));
      store.release(id);
      assertThat(store.read(id, 0, 1)).hasSize(1);
      store.archive(id);
      store.remove(id);
    }
    try (Stream<Path> files = Files.walk(temporary)) {
      assertThat(files.filter(Files::isRegularFile))
          .containsExactly(outside.resolve("events.jsonl"));
    }
    assertThat(outside.resolve("events.jsonl")).hasContent("kept");
  }

  // Owners

  @Test
  void twoStoresOfOneProcess() throws Exception {
    FileTraceStore first = store();
    FileTraceStore second = FileTraceStore.in(temporary.resolve("base/../base"));
    first.create(ID, AT);
    first.append(ID, logs(1, 1));
    assertThatExceptionOfType(TraceInUseException.class)
        .isThrownBy(() -> second.resume(ID))
        .withMessageContaining(ID)
        .withMessageContaining("this process");
    assertThatExceptionOfType(TraceInUseException.class)
        .isThrownBy(() -> second.append(ID, logs(2, 2)));
    assertThatExceptionOfType(TraceInUseException.class).isThrownBy(() -> second.remove(ID));
    assertThatExceptionOfType(TraceInUseException.class).isThrownBy(() -> second.archive(ID));
    assertThat(second.find(ID).status()).isEqualTo(TraceStatus.RUNNING);
    assertThat(second.read(ID, 0, 10)).isEqualTo(logs(1, 1));
    first.release(ID);
    assertThat(second.find(ID).status()).isEqualTo(TraceStatus.INTERRUPTED);
    assertThat(second.resume(ID)).isTrue();
    assertThatExceptionOfType(TraceInUseException.class).isThrownBy(() -> first.resume(ID));
    second.close();
    assertThat(first.resume(ID)).isTrue();
    first.close();
  }

  @Test
  void manyRaceForOneTrace() throws Exception {
    for (int round = 0; round < 50; round++) {
      String id = "t" + round;
      AtomicInteger won = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        threads.add(
            new Thread(
                () -> {
                  try {
                    store().create(id, AT);
                    won.incrementAndGet();
                  } catch (TraceInUseException lost) {
                    assertThat(lost).hasMessageContaining(id);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(won).hasValue(1);
    }
  }

  @Test
  void anInterruptStopsNothing() throws Exception {
    FileTraceStore store = FileTraceStore.builder(base()).durability(Durability.EACH_EVENT).build();
    Thread.currentThread().interrupt();
    store.create(ID, AT);
    store.append(ID, logs(1, 2));
    store.flush(ID);
    assertThat(store.read(ID, 0, 10)).hasSize(2);
    store.release(ID);
    assertThat(store.resume(ID)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
    store.append(ID, logs(3, 3));
    store.close();
    assertThat(store.read(ID, 0, 10)).isEqualTo(logs(1, 3));
  }

  // Failures

  /** A file that writes some bytes and then fails, as on a full disk. */
  private static final class Failing implements Medium {
    final Medium file;
    long bytesLeft = Long.MAX_VALUE;
    boolean cannotTruncate;
    boolean cannotForce;
    int forced;

    Failing(Path path) throws IOException {
      file = Medium.file(path);
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public int byteAt(long position) throws IOException {
      return file.byteAt(position);
    }

    @Override
    public void write(long position, byte[] bytes, int offset, int count) throws IOException {
      int fits = (int) Math.min(count, bytesLeft);
      file.write(position, bytes, offset, fits);
      bytesLeft -= fits;
      if (fits < count) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void truncate(long length) throws IOException {
      if (cannotTruncate) {
        throw new IOException("cannot truncate");
      }
      file.truncate(length);
    }

    @Override
    public void force() throws IOException {
      forced++;
      if (cannotForce) {
        throw new IOException("cannot force");
      }
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private FileTraceStore failing(Durability durability, List<Failing> opened) {
    return FileTraceStore.builder(base())
        .durability(durability)
        .opener(
            path -> {
              Failing medium = new Failing(path);
              opened.add(medium);
              return medium;
            })
        .build();
  }

  /** A disk that is full after any number of bytes, and has room again. */
  @Test
  void aFullDiskTearsNothing() throws Exception {
    List<TraceEvent> batch = logs(3, 5);
    int length = RecordBuffer.of(EventJson.standard(), batch, 1 << 20).length();
    for (boolean cannotTruncate : List.of(false, true)) {
      for (int room = 0; room < length; room += 11) {
        List<Failing> opened = new ArrayList<>();
        FileTraceStore store = failing(Durability.NONE, opened);
        store.create(ID, AT);
        store.append(ID, logs(1, 2));
        opened.get(0).bytesLeft = room;
        opened.get(0).cannotTruncate = cannotTruncate;
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(() -> store.append(ID, batch))
            .withMessageContaining("No space");
        StoreHealth health = store.health();
        assertThat(health.isStoring()).isFalse();
        assertThat(health.failedWrites()).isEqualTo(3);
        assertThat(health.lastFailure().message()).contains("No space");
        opened.get(0).bytesLeft = Long.MAX_VALUE;
        store.append(ID, logs(6, 7));
        assertThat(store.health().isStoring()).isTrue();
        assertThat(store.health().failedWrites()).isEqualTo(3);
        store.release(ID);
        List<TraceEvent> events = new ArrayList<>();
        StoreReport report = replay(store, events);
        assertThat(events).startsWith(log(1), log(2)).endsWith(log(6), log(7));
        assertThat(report.isWhole()).isFalse();
        if (!cannotTruncate) {
          assertThat(events)
              .isEqualTo(Stream.of(logs(1, 2), logs(6, 7)).flatMap(List::stream).toList());
          assertThat(report.damage()).hasSize(1);
          assertThat(report.damage().get(0).first()).isEqualTo(3);
          assertThat(report.damage().get(0).last()).isEqualTo(5);
        }
        store.remove(ID);
      }
    }
  }

  @Test
  void durabilityIsWhatItSays() throws Exception {
    for (Durability durability : Durability.values()) {
      List<Failing> opened = new ArrayList<>();
      FileTraceStore store = failing(durability, opened);
      store.create(ID, AT);
      store.append(ID, logs(1, 2));
      store.append(ID, logs(3, 3));
      Failing file = opened.get(0);
      assertThat(file.forced).isEqualTo(durability == Durability.EACH_EVENT ? 2 : 0);
      store.flush(ID);
      int afterFlush = file.forced;
      assertThat(afterFlush)
          .isEqualTo(
              switch (durability) {
                case EACH_EVENT -> 3;
                case EACH_FLUSH -> 1;
                case NONE -> 0;
              });
      store.release(ID);
      assertThat(file.forced - afterFlush).isEqualTo(durability == Durability.NONE ? 0 : 1);
      store.remove(ID);
    }
  }

  @Test
  void whatCannotBeMadeDurableIsNotKept() throws Exception {
    List<Failing> opened = new ArrayList<>();
    FileTraceStore store = failing(Durability.EACH_EVENT, opened);
    store.create(ID, AT);
    store.append(ID, logs(1, 1));
    opened.get(0).cannotForce = true;
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.append(ID, logs(2, 2)));
    opened.get(0).cannotForce = false;
    store.append(ID, logs(3, 3));
    store.release(ID);
    assertThat(store.read(ID, 0, 10)).containsExactly(log(1), log(3));
  }

  /** Through a trace: the loss is seen, and the trace goes on. */
  @Test
  void aTraceTellsOfWritesThatFailed() throws Exception {
    List<Failing> opened = new ArrayList<>();
    FileTraceStore store = failing(Durability.EACH_EVENT, opened);
    TraceManager trace = TraceManager.open(TraceOptions.builder().id(ID).store(store).build());
    TraceNode node = trace.add("in", NodeOptions.label("n"));
    assertThat(trace.flush()).isTrue();
    opened.get(0).bytesLeft = 10;
    node.info("lost");
    assertThat(trace.flush()).isFalse();
    assertThat(trace.health().isStoring()).isFalse();
    assertThat(trace.health().failedWrites()).isEqualTo(1);
    assertThat(trace.health().lastFailure().message()).contains("No space");
    assertThat(trace.health().lastFailureAt()).isNotNull();
    opened.get(0).bytesLeft = Long.MAX_VALUE;
    node.info("kept");
    assertThat(trace.flush()).as("the store lacks one").isFalse();
    assertThat(trace.health().isStoring()).isTrue();
    trace.markComplete();
    trace.close();
    TraceManager loaded = TraceRegistry.over(store).load(ID, TraceOptions.defaults());
    assertThat(loaded.status()).isEqualTo(TraceStatus.COMPLETED);
    assertThat(loaded.eventList(0).get(2))
        .isInstanceOfSatisfying(
            TraceEvent.Gap.class, gap -> assertThat(gap.firstMissing()).isEqualTo(3));
    assertThat(loaded.logs()).hasSize(1);
    loaded.close();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aFolderThatVanishesIsSeen() throws Exception {
    FileTraceStore store = store();
    store.create(ID, AT);
    store.append(ID, logs(1, 3));
    delete(base());
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.append(ID, logs(4, 5)))
        .withMessageContaining("is gone");
    assertThat(store.health().failedWrites()).isEqualTo(2);
    store.append(ID, logs(6, 7));
    store.append(ID, logs(8, 8));
    assertThat(store.health().isStoring()).isTrue();
    store.release(ID);
    List<TraceEvent> events = new ArrayList<>();
    StoreReport report = replay(store, events);
    assertThat(events).isEqualTo(logs(6, 8));
    assertThat(report.damage()).hasSize(1);
    assertThat(report.damage().get(0).last()).isEqualTo(5);
    TraceManager loaded = TraceRegistry.over(store).load(ID, TraceOptions.defaults());
    assertThat(loaded.node("n1").label()).isEqualTo("(lost)");
    assertThat(loaded.add(null, NodeOptions.label("new")).id()).isEqualTo("n2");
    loaded.close();
  }

  @Test
  void aFolderThatCannotBeWrittenIsRefusedAtOnce() throws Exception {
    Files.createDirectories(base().getParent());
    Files.writeString(base(), "a file where the folder should be");
    FileTraceStore store = store();
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.create(ID, AT));
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.append(ID, logs(1, 1)));
    assertThat(store.health().isStoring()).isFalse();
    TraceRegistry registry = TraceRegistry.over(store);
    assertThatExceptionOfType(StillframeException.class)
        .isThrownBy(() -> registry.open(TraceOptions.builder().id(ID).build()))
        .withMessageContaining(ID)
        .withCauseInstanceOf(IOException.class);
    assertThat(registry.list()).isEmpty();
    Files.delete(base());
    registry.open(TraceOptions.builder().id(ID).build()).close();
    assertThat(store.list()).containsExactly(ID);
  }

  @Test
  void anEventThatIsTooLongIsRefusedAndTheNextOnesAreKept() throws Exception {
    FileTraceStore store = FileTraceStore.builder(base()).maxEventBytes(2_000).build();
    store.create(ID, AT);
    store.append(ID, logs(1, 1));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.append(ID, List.of(log(ID, 2, "x".repeat(2_000)))))
        .withMessageContaining("2000");
    store.append(ID, List.of(log(ID, 3, "x".repeat(1_500))));
    store.release(ID);
    assertThat(store.read(ID, 0, 10)).extracting(TraceEvent::sequence).containsExactly(1L, 3L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileTraceStore.builder(base()).maxEventBytes(10))
        .withMessageContaining("10");
  }

  // Archives

  @Test
  void anArchiveIsOneGzipFile() throws Exception {
    FileTraceStore store = store();
    String longId = "x".repeat(500);
    store.create(longId, AT);
    store.append(longId, List.of(log(longId, 1, "x")));
    store.release(longId);
    List<TraceEvent> events = fill(store, 500);
    byte[] before = Files.readAllBytes(file(ID));
    assertThat(store.archive(ID)).isTrue();
    assertThat(store.archive(longId)).isTrue();
    Path archive = file(ID).resolveSibling(Folders.ARCHIVE);
    try (Stream<Path> files = Files.list(archive.getParent())) {
      assertThat(files).containsExactly(archive);
    }
    assertThat(Files.getPosixFilePermissions(archive))
        .noneMatch(permission -> permission.name().endsWith("WRITE"));
    try (GZIPInputStream in = new GZIPInputStream(new FileInputStream(archive.toFile()))) {
      assertThat(in.readAllBytes()).isEqualTo(before);
    }
    assertThat(store.list()).containsExactlyInAnyOrder(ID, longId);
    List<TraceEvent> read = new ArrayList<>();
    assertThat(replay(store, read).isWhole()).isTrue();
    assertThat(read).isEqualTo(events);
    assertThatExceptionOfType(StillframeException.class)
        .isThrownBy(() -> TraceRegistry.over(store).load(ID, TraceOptions.defaults()))
        .withMessageContaining("archived");
    assertThat(store.remove(longId)).isTrue();
    assertThat(store.list()).containsExactly(ID);
  }

  @Test
  void aDamagedArchiveIsReadAsFarAsItGoes() throws Exception {
    FileTraceStore store = store();
    List<TraceEvent> events = fill(store, 5_000);
    store.archive(ID);
    Path archive = file(ID).resolveSibling(Folders.ARCHIVE);
    byte[] whole = Files.readAllBytes(archive);
    archive.toFile().setWritable(true);
    for (int at = 20; at < whole.length; at += whole.length / 23) {
      for (boolean cut : List.of(true, false)) {
        byte[] damaged = cut ? Arrays.copyOf(whole, at) : whole.clone();
        if (!cut) {
          damaged[at] ^= 0x10;
        }
        Files.write(archive, damaged);
        List<TraceEvent> read = new ArrayList<>();
        StoreReport report = replay(store, read);
        assertThat(events).containsAll(read);
        assertThat(report.isWhole()).as("byte %d, cut %s", at, cut).isFalse();
      }
    }
  }

  @Test
  void aCrashWhileArchivingLosesNothing() throws Exception {
    FileTraceStore store = store();
    List<TraceEvent> events = fill(store, 50);
    Path part = file(ID).resolveSibling(Folders.UNFINISHED_ARCHIVE);
    Files.write(part, new byte[] {31});
    Path archive = file(ID).resolveSibling(Folders.ARCHIVE);
    Files.write(archive, new byte[] {31}); // the crash came before the file was removed
    assertThat(store.read(ID, 0, 100)).isEqualTo(events);
    assertThat(store.find(ID).isArchived()).isFalse();
    assertThat(store.resume(ID)).isTrue();
    store.append(ID, logs(51, 51));
    assertThat(archive).doesNotExist();
    store.release(ID);
    assertThat(store.archive(ID)).isTrue();
    assertThat(part).doesNotExist();
    assertThat(store.read(ID, 0, 100)).isEqualTo(logs(1, 51));
  }

  // Reading

  @Test
  void listingAndFindingReadTheEndsOfFilesOnly() throws Exception {
    FileTraceStore store = store();
    fill(store, 10);
    // 8 GiB that nobody can read in this time, with the end of the trace behind them.
    RecordBuffer complete =
        RecordBuffer.of(
            EventJson.standard(),
            List.of(new TraceEvent.Complete(ID, 11, AT, TraceStatus.FAILED, "why")),
            1 << 20);
    try (RandomAccessFile sparse = new RandomAccessFile(file(ID).toFile(), "rw")) {
      sparse.setLength(8L << 30);
      sparse.seek(8L << 30);
      sparse.write('\n');
      sparse.write(complete.bytes(), 0, complete.length());
    }
    assertThat(store.list()).containsExactly(ID);
    assertThat(store.find(ID).status()).isEqualTo(TraceStatus.FAILED);
    assertThat(store.find(ID).lastSequence()).isEqualTo(11);
    assertThat(store.find(ID).bytes()).isGreaterThan(8L << 30);
    assertThat(store.resume(ID)).isFalse();
    Files.delete(file(ID));
  }

  @Test
  void readingOnDoesNotBeginAtTheStart() throws Exception {
    FileTraceStore store = store();
    fill(store, 20_000);
    store.read(ID, 0, 10_000);
    byte[] bytes = Files.readAllBytes(file(ID));
    Arrays.fill(bytes, 0, bytes.length / 4, (byte) 0);
    try (OutputStream same = Files.newOutputStream(file(ID), StandardOpenOption.WRITE)) {
      same.write(bytes);
    }
    List<TraceEvent> paged = new ArrayList<>();
    long after = 10_000;
    for (List<TraceEvent> page = store.read(ID, after, 1_000); !page.isEmpty(); ) {
      paged.addAll(page);
      page = store.read(ID, page.get(page.size() - 1).sequence(), 1_000);
    }
    assertThat(paged).isEqualTo(logs(10_001, 20_000));
  }

  @Test
  void aLineThatIsJustBeingWrittenIsReadOnceItIsWhole() throws Exception {
    FileTraceStore store = store();
    fill(store, 3);
    RecordBuffer next = RecordBuffer.of(EventJson.standard(), logs(4, 5), 1 << 20);
    for (int i = 0; i < next.length(); i++) {
      Files.write(file(ID), new byte[] {next.bytes()[i]}, StandardOpenOption.APPEND);
      if (i % 10 == 0) {
        assertThat(store.read(ID, 0, 100)).startsWith(log(1), log(2), log(3));
        store.read(ID, 3, 100);
      }
    }
    assertThat(store.read(ID, 3, 100)).isEqualTo(logs(4, 5));
    assertThat(store.read(ID, 0, 100)).isEqualTo(logs(1, 5));
  }

  @Test
  void aTraceWithoutEventsIsNotThereAndCanBeCreatedAgain() throws Exception {
    FileTraceStore store = store();
    store.create(ID, AT);
    store.release(ID);
    assertThat(store.list()).isEmpty();
    assertThat(store.find(ID)).isNull();
    store.create(ID, AT);
    store.release(ID);
    assertThat(store.remove(ID)).isFalse();
    assertThat(base().resolve("20260203")).isEmptyDirectory();
  }

  @Test
  void largeEventsMakeSmallPages() throws Exception {
    FileTraceStore store = store();
    store.create(ID, AT);
    for (int i = 1; i <= 10; i++) {
      store.append(ID, List.of(log(ID, i, "x".repeat(700_000))));
    }
    assertThat(store.read(ID, 0, 256).size()).isBetween(1, 4);
    List<TraceEvent> events = new ArrayList<>();
    assertThat(replay(store, events).events()).isEqualTo(10);
    store.close();
  }

  @Test
  void whatThrowsWhileItReceivesEventsIsThrownOn() throws Exception {
    FileTraceStore store = store();
    fill(store, 3);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.replay(
                    ID,
                    event -> {
                      throw new ArithmeticException();
                    }));
    assertThat(store.remove(ID)).isTrue();
    assertThat(base().resolve("20260203").resolve(ID)).doesNotExist();
  }
}
