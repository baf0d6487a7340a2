package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stillframe.StillframeException;
import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceRegistry;
import dev.stillframe.trace.TraceStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Disks that are full, files that fail, folders that vanish. */
class FileFailuresTest extends FileStoreFixture {

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
        opened.get(0).bytesLeft = Long.MAX_VALUE;
        store.append(ID, logs(6, 7));
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
    store.append(ID, logs(6, 7));
    store.append(ID, logs(8, 8));
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

  /** As a power cut leaves it whose data was not yet on the disk. */
  @Test
  void aTraceOfWhichNothingCanBeReadSaysSo() throws Exception {
    FileTraceStore store = store();
    fill(store, 1);
    Files.write(file(ID), new byte[100]);
    TraceRegistry registry = TraceRegistry.over(store);
    assertThatExceptionOfType(StillframeException.class)
        .isThrownBy(() -> registry.load(ID, TraceOptions.defaults()))
        .withMessageContaining(ID)
        .withMessageContaining("line 1");
    assertThat(registry.remove(ID)).isTrue();
    registry.open(TraceOptions.builder().id(ID).build()).close();
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
}
