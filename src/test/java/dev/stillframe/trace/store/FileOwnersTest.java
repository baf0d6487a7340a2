package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stillframe.trace.TraceInUseException;
import dev.stillframe.trace.TraceStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
}
