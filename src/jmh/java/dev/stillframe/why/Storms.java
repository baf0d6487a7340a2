package dev.stillframe.why;

import dev.stillframe.why.Candidate.Handle;
import dev.stillframe.why.Candidate.Service;
import dev.stillframe.why.Candidate.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** What threads do to one candidate at once, and how much of it was kept, or was seen whole. */
final class Storms {
  private static final int THREADS = 8;
  private static final int INCREMENTS = 10_000;
  private static final int PAIRS = 200_000;
  private static final int SUM = 2_000;
  private static final int APPENDS = 200;
  private static final int ROUNDS = 300_000;

  private Storms() {}

  /**
   * What a storm came to.
   *
   * @param good how many of {@code all} were kept, or whole
   */
  record Outcome(long good, long all) {}

  /** Each thread adds to the same number. */
  static Outcome increments(Candidate candidate) throws InterruptedException {
    State state = candidate.state();
    List<Runnable> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(() -> repeat(INCREMENTS, round -> state.increment("n")));
    }
    runAll(threads);
    return new Outcome(state.number("n"), (long) THREADS * INCREMENTS);
  }

  /** Two threads write pairs of one sum, two others look at them all the while. */
  static Outcome pairs(Candidate candidate) throws InterruptedException {
    State state = candidate.state();
    state.writePair(SUM, 0);
    AtomicInteger writing = new AtomicInteger(2);
    LongAdder looks = new LongAdder();
    LongAdder whole = new LongAdder();
    Runnable writer =
        () -> {
          repeat(PAIRS, round -> state.writePair(round % SUM, SUM - round % SUM));
          writing.decrementAndGet();
        };
    Runnable reader =
        () -> {
          while (writing.get() > 0) {
            looks.increment();
            if (state.pairSum() == SUM) {
              whole.increment();
            }
          }
        };
    runAll(List.of(writer, writer, reader, reader));
    return new Outcome(whole.sum(), looks.sum());
  }

  /** Each thread appends to the same session, through a handle that it keeps. */
  static Outcome appends(Candidate candidate) throws InterruptedException {
    Service service = candidate.service();
    service.create("shared");
    return appends(service, () -> service.handle("shared"));
  }

  /** Each thread appends to the same session, through a new handle each time. */
  static Outcome appendsThroughNewHandles(Candidate candidate) throws InterruptedException {
    Service service = candidate.service();
    service.create("shared");
    return appends(service, () -> event -> service.handle("shared").append(event));
  }

  private static Outcome appends(Service service, Supplier<Handle> opening)
      throws InterruptedException {
    List<Runnable> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String name = "thread " + i;
      Handle handle = opening.get();
      threads.add(
          () ->
              repeat(
                  APPENDS,
                  round -> {
                    try {
                      handle.append(name + ", event " + round);
                    } catch (RuntimeException e) {
                      // An append that throws is counted as not kept: the event is not there.
                    }
                  }));
    }
    runAll(threads);
    return new Outcome(service.events("shared"), (long) THREADS * APPENDS);
  }

  /**
   * One thread creates a session of a user while another one deletes the only other one. The two
   * start each round together, by spinning.
   */
  static Outcome createAgainstDelete(Candidate candidate) throws InterruptedException {
    Service service = candidate.service();
    AtomicInteger started = new AtomicInteger();
    AtomicInteger deleted = new AtomicInteger();
    AtomicInteger kept = new AtomicInteger();
    service.create("session 0");
    Runnable creator =
        () ->
            repeat(
                ROUNDS,
                round -> {
                  String created = "session " + (round + 1);
                  started.set(round + 1);
                  spin(round % 64); // so that the two meet at each point of what they do
                  service.create(created);
                  await(deleted, round + 1);
                  if (service.exists(created)) {
                    kept.incrementAndGet();
                  } else {
                    service.create(created);
                  }
                });
    Runnable deleter =
        () ->
            repeat(
                ROUNDS,
                round -> {
                  await(started, round + 1);
                  spin(round / 64 % 64);
                  service.delete("session " + round);
                  deleted.set(round + 1);
                });
    runAll(List.of(creator, deleter));
    return new Outcome(kept.get(), ROUNDS);
  }

  private static void await(AtomicInteger counter, int value) {
    while (counter.get() < value) {
      Thread.onSpinWait();
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private interface Round {
    void play(int number);
  }

  private static void repeat(int times, Round round) {
    for (int i = 0; i < times; i++) {
      round.play(i);
    }
  }

  private static void runAll(List<Runnable> bodies) throws InterruptedException {
    List<Thread> threads = bodies.stream().map(Thread::new).toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
