package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WaitersTest {
  private final Waiters waiters = new Waiters();

  /**
   * The condition takes part in the work, and wakes everybody when it has done some: itself, too.
   * Then it has to wait for a lock, and the wake-up is used up there. The thread must not go to
   * sleep off the stack, where the next wake-up does not find it.
   */
  @Test
  void aWakeUpThatIsUsedUpInsideTheConditionIsNotLost() {
    AtomicBoolean open = new AtomicBoolean();
    AtomicInteger looks = new AtomicInteger();
    Thread waiting =
        new Thread(
            () ->
                waiters.await(
                    () -> {
                      if (looks.incrementAndGet() == 2) {
                        waiters.wakeAll();
                        LockSupport.park(); // as a lock does
                      }
                      return open.get();
                    },
                    null));
    waiting.start();
    Await.until("it has looked after the wake-up", () -> looks.get() >= 2);
    Await.parked(waiting);
    open.set(true);
    waiters.wakeAll();
    Await.join(List.of(waiting));
  }

  @Test
  void aDeadlineAndAnInterruptEndAWait() {
    assertThat(waiters.await(() -> false, System.nanoTime())).isFalse();
    Thread.currentThread().interrupt();
    assertThat(waiters.awaitUnlessInterrupted(() -> false, null)).isFalse();
    assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
    assertThat(waiters.await(() -> true, System.nanoTime())).isTrue();
  }

  @Test
  void manyWaitersHearOfEveryStep() {
    AtomicInteger step = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger arrived = new AtomicInteger();
    for (int t = 0; t < 8; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 1; i <= 500; i++) {
                  int wanted = i;
                  waiters.await(() -> step.get() >= wanted, null);
                  arrived.incrementAndGet();
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (int i = 1; i <= 500; i++) {
      step.set(i);
      waiters.wakeAll();
      int all = 8 * i;
      Await.until("all have heard of step " + i, () -> arrived.get() == all);
    }
    Await.join(threads);
  }
}
