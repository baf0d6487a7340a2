package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stillframe.state.Storm;
import dev.stillframe.trace.TraceInUseException;
import dev.stillframe.trace.TraceStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A trace is written in one place at a time. */
class FileOwnersTest extends FileStoreFixture {

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
      Race race = new Race();
      for (int t = 0; t < 4; t++) {
        race.start(() -> store().create(id, AT));
      }
      race.join();
      assertThat(race.won).hasValue(1);
    }
  }

  /** Around midnight, or by clocks that differ, one trace would be in the folders of two days. */
  @Test
  void twoStoresOnTwoDays() throws Exception {
    Instant nextDay = AT.plus(1, ChronoUnit.DAYS);
    for (int round = 0; round < 50; round++) {
      String id = "r" + round;
      Race race = new Race();
      race.start(() -> store().create(id, AT));
      race.start(() -> store().create(id, nextDay));
      race.join();
      assertThat(race.won).hasValueLessThanOrEqualTo(1); // each may have seen the other
    }
    FileTraceStore first = store();
    first.create("t", AT);
    assertThatExceptionOfType(TraceInUseException.class)
        .isThrownBy(() -> store().create("t", nextDay))
        .withMessageContaining("the folder of another day");
    first.append("t", logs(1, 1));
    first.release("t");
    assertThatIllegalArgumentException().isThrownBy(() -> store().create("t", nextDay));
    assertThat(store().list()).containsExactly("t");
    assertThat(store().resume("t")).isTrue();
  }

  /** The file with the id of such a trace is read by others while the trace is opened. */
  @Test
  void aLongIdIsListedWhileItIsOpened() throws Exception {
    String id = "x".repeat(500);
    FileTraceStore store = store();
    store.create(id, AT);
    store.append(id, List.of(log(id, 1, "x")));
    store.release(id);
    FileTraceStore other = store();
    new Storm()
        .repeat(1, thread -> assertThat(other.list()).containsExactly(id))
        .repeat(1, thread -> assertThat(other.find(id)).isNotNull())
        .once(
            1,
            thread -> {
              for (int i = 0; i < 500; i++) {
                store.resume(id);
                store.release(id);
              }
            })
        .run();
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

  /** Threads that want the same trace. */
  private static final class Race {
    final AtomicInteger won = new AtomicInteger();
    private final List<Future<?>> ends = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    interface Attempt {
      void run() throws Exception;
    }

    void start(Attempt attempt) {
      ends.add(
          threads.submit(
              () -> {
                try {
                  attempt.run();
                  won.incrementAndGet();
                } catch (TraceInUseException lost) {
                  // as it should be
                }
                return null;
              }));
    }

    void join() throws Exception {
      threads.shutdown();
      for (Future<?> end : ends) {
        end.get();
      }
    }
  }
}
