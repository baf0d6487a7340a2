package dev.stillframe.state;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Threads that do things side by side, from one starting line. The first failure ends the storm and
 * is what it throws; when it has returned, none of its threads runs any more.
 */
public final class Storm {
  private record Task(int thread, Body body, boolean repeated) {}

  private final List<Task> tasks = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);

  /** What one thread does, which is told its number. */
  @FunctionalInterface
  public interface Body {
    void run(int thread) throws Exception;
  }

  /** Adds threads that run the body once; the storm lasts until all of these have ended. */
  public Storm once(int threads, Body body) {
    return add(threads, body, false);
  }

  /** Adds threads that run the body again and again until the storm is over, and at least once. */
  public Storm repeat(int threads, Body body) {
    return add(threads, body, true);
  }

  private Storm add(int threads, Body body, boolean repeated) {
    for (int thread = 0; thread < threads; thread++) {
      tasks.add(new Task(thread, body, repeated));
    }
    return this;
  }

  /** Lets the storm rage for a time. */
  public void runFor(Duration duration) throws Exception {
    once(1, thread -> over.await(duration.toNanos(), TimeUnit.NANOSECONDS)).run();
  }

  public void run() throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    ExecutorService executor = Executors.newFixedThreadPool(tasks.size(), Storm::daemon);
    try {
      ExecutorCompletionService<Boolean> ended = new ExecutorCompletionService<>(executor);
      tasks.forEach(task -> ended.submit(() -> run(task, start)));
      long toAwait = tasks.stream().filter(task -> !task.repeated).count();
      for (int i = 0; i < tasks.size(); i++) {
        Future<Boolean> next = ended.take();
        if (!outcome(next) && --toAwait == 0) {
          over.countDown();
        }
      }
    } finally {
      over.countDown();
      executor.shutdownNow();
      executor.awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  private boolean run(Task task, CyclicBarrier start) throws Exception {
    start.await();
    try {
      do {
        task.body.run(task.thread);
      } while (task.repeated && over.getCount() > 0);
    } catch (Throwable e) {
      over.countDown();
      throw e;
    }
    return task.repeated;
  }

  private static boolean outcome(Future<Boolean> ended) throws Exception {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (Exception) e.getCause();
    }
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "storm");
    thread.setDaemon(true);
    return thread;
  }
}
