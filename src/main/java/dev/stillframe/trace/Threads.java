package dev.stillframe.trace;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The library's own threads, for code that may block: subscribers, stores, branches. Virtual ones
 * from JDK 24 on. Before, a virtual thread that blocks in a {@code synchronized} block keeps its
 * carrier, of which there are no more than processors, so that a few callbacks could hold up all
 * others; there it is a {@link CallbackPool} of daemon threads.
 */
final class Threads {
  private static final Logger LOGGER = System.getLogger(Threads.class.getPackageName());

  private static final AtomicLong NAMED = new AtomicLong();
  private static final Executor OWN = create();

  private Threads() {}

  static Executor own() {
    return OWN;
  }

  private static Executor create() {
    if (Runtime.version().feature() >= 24) {
      try {
        return (Executor)
            MethodHandles.publicLookup()
                .findStatic(
                    Executors.class,
                    "newVirtualThreadPerTaskExecutor",
                    MethodType.methodType(ExecutorService.class))
                .invoke();
      } catch (Throwable noVirtualThreads) {
        // a JVM that has switched them off
      }
    }
    return new CallbackPool(
        task -> {
          Thread thread = new Thread(task, "stillframe-" + NAMED.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Logs a warning. What a logger throws is nobody's concern here. */
  static void warn(String message, @Nullable Throwable thrown) {
    try {
      LOGGER.log(Level.WARNING, message, thrown);
    } catch (Throwable ofLogger) {
      // there is no better place to tell of it
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

  /**
   * Runs a task on a thread of the library's; or, if none is free and the JVM cannot start one, on
   * this one, which is then held up, but no trace is: nobody runs tasks in a worker role.
   */
  static void run(Runnable task) {
    try {
      OWN.execute(task);
    } catch (Throwable noThread) {
      task.run();
    }
  }
}
