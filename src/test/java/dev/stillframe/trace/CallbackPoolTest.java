package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CallbackPoolTest {
  private final Set<Thread> started = ConcurrentHashMap.newKeySet();
  private final CallbackPool pool =
      new CallbackPool(
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            started.add(thread);
            return thread;
          });

  private long alive() {
    return started.stream().filter(Thread::isAlive).count();
  }

  @Test
  void manyShortTasksAreDoneByFewThreads() {
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 20_000; i++) {
      pool.execute(done::incrementAndGet);
    }
    Await.until("all are done", () -> done.get() == 20_000);
    assertThat(started).hasSizeLessThan(200);
    Await.until("idle threads end", () -> alive() == 0);
  }

  @Test
  void tasksThatBlockHoldUpNoOther() {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(100);
    for (int i = 0; i < 100; i++) {
      pool.execute(
          () -> {
            blocked.countDown();
            Await.latch(mayGoOn);
          });
    }
    Await.latch(blocked);
    for (int i = 0; i < 100; i++) {
      CountDownLatch ran = new CountDownLatch(1);
      pool.execute(ran::countDown);
      Await.latch(ran);
    }
    mayGoOn.countDown();
    Await.until("no more wait than processors", () -> alive() <= processors());
    Await.until("idle threads end", () -> alive() == 0);
    CountDownLatch ran = new CountDownLatch(1);
    pool.execute(ran::countDown);
    Await.latch(ran);
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Several owners, and tasks that block until a later one has run: none may be left lying. */
  @RepeatedTest(20)
  void noTaskIsLeftLying() {
    AtomicInteger done = new AtomicInteger();
    List<Thread> owners = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread owner =
          new Thread(
              () -> {
                for (int i = 0; i < 200; i++) {
                  CountDownLatch second = new CountDownLatch(1);
                  pool.execute(
                      () -> {
                        Await.latch(second);
                        done.incrementAndGet();
                      });
                  pool.execute(
                      () -> {
                        second.countDown();
                        done.incrementAndGet();
                      });
                }
              });
      owners.add(owner);
      owner.start();
    }
    Await.join(owners);
    Await.until("all are done", () -> done.get() == 4 * 400);
  }

  @Test
  void aTaskThatThrowsOrIsInterruptedLeavesNoTrace() {
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch done = new CountDownLatch(100);
    for (int i = 0; i < 100; i++) {
      pool.execute(
          () -> {
            interrupted.compareAndSet(false, Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            done.countDown();
            throw new AssertionError("on purpose");
          });
    }
    Await.latch(done);
    assertThat(interrupted).isFalse();
  }

  @Test
  void aTaskIsRejectedIfNoThreadCanBeHad() {
    AtomicBoolean none = new AtomicBoolean(true);
    CallbackPool poor =
        new CallbackPool(
            task -> {
              if (none.get()) {
                throw new OutOfMemoryError("on purpose: no thread");
              }
              return new Thread(task);
            });
    AtomicInteger runs = new AtomicInteger();
    assertThatExceptionOfType(RejectedExecutionException.class)
        .isThrownBy(() -> poor.execute(runs::incrementAndGet));
    none.set(false);
    CountDownLatch ran = new CountDownLatch(1);
    poor.execute(ran::countDown);
    Await.latch(ran);
    assertThat(runs).as("what was rejected does not run later").hasValue(0);
  }
}
