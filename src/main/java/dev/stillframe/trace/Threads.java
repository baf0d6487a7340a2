package dev.stillframe.trace;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The library's own threads, for code that may block: subscribers, stores, branches. Virtual ones
 * where the JVM has them, else daemon threads that end when they have been idle for a second. There
 * is no bound on their number, so that no callback waits for another one to end.
 */
final class Threads {
  static final Logger LOGGER = System.getLogger(Threads.class.getPackageName());

  private static final AtomicLong NAMED = new AtomicLong();
  private static final Executor OWN = create();

  private Threads() {}

  static Executor own() {
    return OWN;
  }

  private static Executor create() {
    try {
      return (Executor)
          MethodHandles.publicLookup()
              .findStatic(
                  Executors.class,
                  "newVirtualThreadPerTaskExecutor",
                  MethodType.methodType(ExecutorService.class))
              .invoke();
    } catch (Throwable noVirtualThreads) {
      return new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          1,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "stillframe-" + NAMED.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });
    }
  }

  /**
   * Returns an executor that hands tasks to a caller's. The caller's is called on a thread of the
   * library's: if it runs tasks on the thread that calls it, that is never one which writes to a
   * trace. If it throws, the task runs on the library's thread.
   */
  static Executor through(Executor callers) {
    return task -> {
      AtomicBoolean started = new AtomicBoolean(); // an executor may run a task and throw as well
      Runnable once =
          () -> {
            if (started.compareAndSet(false, true)) {
              task.run();
            }
          };
      run(
          () -> {
            try {
              callers.execute(once);
            } catch (Throwable rejected) {
              LOGGER.log(
                  Level.DEBUG, "An executor rejected a task; it runs on another thread", rejected);
              once.run();
            }
          });
    };
  }

  /** Runs a task on a thread of the library's, or, if none can be had, on this one. */
  static void run(Runnable task) {
    try {
      OWN.execute(task);
    } catch (Throwable noThread) {
      task.run();
    }
  }
}
