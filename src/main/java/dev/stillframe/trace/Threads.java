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
 * The library's own threads, for code that may block or compute without end. For subscribers and
 * stores it is a {@link CallbackPool} of daemon threads: no callback may hold up another, and
 * virtual threads that compute keep their carriers, of which there are no more than processors.
 * Branches run on virtual threads from JDK 24 on; before, they too would keep their carriers while
 * they block in a {@code synchronized} block, so that they run in the pool.
 */
final class Threads {
  private static final Logger LOGGER = System.getLogger(Threads.class.getPackageName());

  private static final AtomicLong NAMED = new AtomicLong();
  private static final Executor OWN = new CallbackPool(Threads::daemon);
  private static final Executor BRANCHES = virtualThreads();

  private Threads() {}

  /** For subscribers and stores. */
  static Executor own() {
    return OWN;
  }

  /** For branches. */
  static Executor branches() {
    return BRANCHES;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "stillframe-" + NAMED.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  private static Executor virtualThreads() {
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
    return OWN;
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
   * this one, which is then held up, but no trace is: nobody runs tasks in a worker role. A thread
   * that has no stack left runs nothing.
   */
  static void run(Runnable task) {
    try {
      OWN.execute(task);
    } catch (OutOfMemoryError | RuntimeException noThread) {
      task.run();
    }
  }
}
