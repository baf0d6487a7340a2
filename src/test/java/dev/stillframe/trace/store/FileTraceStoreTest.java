package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import dev.stillframe.trace.TraceStatus;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The file of a trace, and how it is read. */
class FileTraceStoreTest extends FileStoreFixture {

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
      List<String> lines = new ArrayList<>(Files.readAllLines(file(ID)));
      String fragment = lines.remove(4);
      assertThat(lines).hasSize(7).allMatch(line -> line.startsWith("{ \"sequence\":"));
      assertThat(fragment)
          .as("it has a line of its own")
          .doesNotContain("node_start", "node_complete");
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
