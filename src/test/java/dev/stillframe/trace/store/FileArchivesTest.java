package dev.stillframe.trace.store;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stillframe.StillframeException;
import dev.stillframe.state.Storm;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceInUseException;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Archives. */
class FileArchivesTest extends FileStoreFixture {

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
        .withMessageContaining("from an archive");
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
    for (int at = 0; at < whole.length; at += at < 20 ? 1 : whole.length / 23) {
      for (boolean cut : List.of(true, false)) {
        byte[] damaged = cut ? Arrays.copyOf(whole, at) : whole.clone();
        if (!cut) {
          damaged[at] ^= 0x10;
        }
        Files.write(archive, damaged);
        List<TraceEvent> read = new ArrayList<>();
        StoreReport report = replay(store, read);
        assertThat(events).containsAll(read);
        if (cut) {
          assertThat(report.isWhole()).as("cut at %d", at).isFalse();
          assertThat(read).as("cut at %d", at).hasSize(wholeLines(damaged));
        } else {
          assertThat(report.isWhole() && read.isEmpty()).as("byte %d", at).isFalse();
        }
      }
    }
  }

  /** Counts the lines that can be had of what is left of an archive, read byte by byte. */
  private static int wholeLines(byte[] archive) throws IOException {
    int lines = 0;
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(archive))) {
      for (int b = in.read(); b >= 0; b = in.read()) {
        lines += b == '\n' ? 1 : 0;
      }
    } catch (EOFException cut) {
      // that is all
    }
    return lines;
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

  /** Whoever resumes has seen no archive yet, and must not make a new file beside it. */
  @Test
  void archivingAgainstResumingKeepsTheEvents() throws Exception {
    for (int round = 0; round < 300; round++) {
      String id = "20260203-" + round;
      FileTraceStore store = store();
      FileTraceStore other = store();
      store.create(id, AT);
      store.append(id, List.of(log(id, 1, "x")));
      store.release(id);
      new Storm()
          .once(1, thread -> orInUse(() -> store.archive(id)))
          .once(
              1,
              thread -> {
                for (int i = 0; i < 5; i++) {
                  orInUse(() -> other.resume(id));
                  other.release(id);
                }
              })
          .run();
      assertThat(store.read(id, 0, 10)).as("round %d", round).containsExactly(log(id, 1, "x"));
      store.archive(id);
      assertThat(store.find(id).isArchived()).isTrue();
      assertThat(store.read(id, 0, 10)).containsExactly(log(id, 1, "x"));
    }
  }

  private static void orInUse(Callable<Boolean> call) throws Exception {
    try {
      call.call();
    } catch (TraceInUseException other) {
      // the other one was first
    }
  }

  @Test
  void aTraceThatWasEndedIsLoadedByManyAtOnce() throws Exception {
    FileTraceStore store = store();
    TraceManager trace = TraceManager.open(TraceOptions.builder().id(ID).store(store).build());
    trace.markComplete();
    trace.close();
    Files.delete(file(ID).resolveSibling(Ownership.FILE));
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 20; i++) {
                TraceRegistry.over(store).load(ID, TraceOptions.defaults()).close();
              }
            })
        .run();
    assertThat(file(ID).resolveSibling(Ownership.FILE)).as("nothing is written").doesNotExist();
  }

  @Test
  void fileIsReadWhereverItIs() throws IOException {
    FileTraceStore store = store();
    List<TraceEvent> written = fill(store, 300);
    Path moved = temporary.resolve("moved");
    Files.copy(file(ID), moved);
    List<TraceEvent> read = new ArrayList<>();
    assertThat(FileTraceStore.replayFile(moved, read::add).isWhole()).isTrue();
    assertThat(read).isEqualTo(written);

    store.archive(ID);
    Files.move(file(ID).resolveSibling(Folders.ARCHIVE), moved, REPLACE_EXISTING);
    read.clear();
    assertThat(FileTraceStore.replayFile(moved, read::add).events()).isEqualTo(300);
    assertThat(read).isEqualTo(written);
  }

  @Test
  void eventOfAnotherTraceIsToldAsDamage() throws IOException {
    FileTraceStore store = store();
    fill(store, 3);
    String other =
        Files.readString(file(ID)).replace("\"trace_id\":\"" + ID, "\"trace_id\":\"other");
    Files.writeString(file(ID), other, StandardOpenOption.APPEND);
    List<TraceEvent> read = new ArrayList<>();

    assertThat(FileTraceStore.replayFile(file(ID), read::add).damages()).isEqualTo(3);
    assertThat(read).hasSize(3).allMatch(event -> event.traceId().equals(ID));
  }

  @Test
  void fileThatIsNotThereOrHoldsNothingIsNoTrace() throws IOException {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> FileTraceStore.replayFile(temporary.resolve("none"), event -> {}));
    Path empty = Files.createFile(temporary.resolve("empty"));
    assertThat(FileTraceStore.replayFile(empty, event -> {}).events()).isZero();
    Path text = Files.writeString(temporary.resolve("text"), "Dear all\n");
    assertThat(FileTraceStore.replayFile(text, event -> {}).damages()).isEqualTo(1);
  }
}
