package dev.stillframe.trace;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads for tasks that may block: as many as tasks block or run at one moment, since a bound
 * would let tasks that block hold up all others; and no more than that. A thread that takes a task
 * while others wait first sees to it that there is a thread for those. So short tasks, however many
 * come at once, are done by a few threads, and whoever hands over a task starts a thread only if
 * all are busy.
 *
 * <p>{@code spare} counts the threads that run no task. <b>No task is left lying:</b> a task is
 * queued first, and then its owner looks at {@code spare}; a thread stops being spare first, and
 * then looks at the queue. One of the two sees the other, and sees to a spare thread.
 */
final class CallbackPool implements Executor {
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many threads may wait for tasks. */
  private static final int KEPT = Runtime.getRuntime().availableProcessors();

  private final ThreadFactory factory;

  /** Without a lock: whoever runs out of stack in the middle of it must not keep it for good. */
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** The threads that wait for tasks. */
  private final Waiters idle = new Waiters();

  private final AtomicInteger spare = new AtomicInteger();
  private final AtomicBoolean reported = new AtomicBoolean();

  CallbackPool(ThreadFactory factory) {
    this.factory = factory;
  }

  /**
   * Has a task run.
   *
   * @throws RejectedExecutionException if no thread is free and none can be started; the task will
   *     not be run
   * @throws StackOverflowError if the caller has no stack left; the task may be run all the same
   */
  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    idle.wakeAll();
    if (!seeToSpareThread() && tasks.remove(task)) {
      throw new RejectedExecutionException("No thread can be started for " + task);
    }
  }

  private boolean seeToSpareThread() {
    if (spare.get() > 0) {
      return true;
    }
    synchronized (this) {
      if (spare.get() <= 0) {
        try {
          factory.newThread(this::serve).start();
        } catch (OutOfMemoryError | RuntimeException noThread) {
          return false;
        }
        spare.incrementAndGet(); // it may have been taken already, and stand at -1
      }
    }
    return true;
  }

  private void serve() {
    for (; ; ) {
      Runnable task = awaitTask();
      boolean last = spare.decrementAndGet() <= 0;
      if (task == null) {
        if (tasks.isEmpty()) {
          return;
        }
      } else {
        if (last && !tasks.isEmpty()) {
          seeToSpareThread(); // if in vain, whoever is done next comes for the rest
        }
        run(task);
        if (spare.get() >= KEPT && tasks.isEmpty()) {
          return; // and if a task comes now, one of those that are spare takes it
        }
      }
      spare.incrementAndGet();
    }
  }

  /** Returns a task, or null if none came in a while. */
  private @Nullable Runnable awaitTask() {
    long deadline = System.nanoTime() + IDLE_NANOS;
    for (; ; ) {
      Runnable task = tasks.poll();
      if (task != null || !idle.await(() -> !tasks.isEmpty(), deadline)) {
        return task;
      }
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable thrown) {
      if (reported.compareAndSet(false, true)) {
        Threads.warn("A task of the library threw; further ones are not logged", thrown);
      }
    } finally {
      Thread.interrupted(); // the next task is not to have it
    }
  }
}
