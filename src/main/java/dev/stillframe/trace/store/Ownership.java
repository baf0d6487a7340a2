package dev.stillframe.trace.store;

import dev.stillframe.trace.TraceInUseException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The right to write a folder, of which there is one at a time on a machine.
 *
 * <p>Between processes it is the operating system's lock on a file, which ends with the process,
 * however that ends. Within one it is an entry in {@link #HELD}: the operating system would hand
 * the lock out twice, and take it away as soon as the file is closed by anybody here. So the file
 * is touched by nobody but its owner, and, while there is none, within a {@code compute} of the
 * entry, for which others of this process wait.
 */
final class Ownership {
  static final String FILE = "lock";

  /** Looking whether a folder is owned takes its lock for a moment, for which a process waits. */
  private static final int ATTEMPTS = 20;

  private static final int PAUSE_MILLIS = 5;

  /** The folders that are owned within this process, by their real path. */
  private static final ConcurrentMap<Path, Ownership> HELD = new ConcurrentHashMap<>();

  /** Lock files that another loader's class has locked. Used within the entry of {@link #HELD}. */
  private static final ConcurrentMap<Path, Opened> NOT_TO_BE_CLOSED = new ConcurrentHashMap<>();

  private final Path key;
  private final RandomAccessFile file;
  private final AtomicBoolean released = new AtomicBoolean();

  private Ownership(Path key, RandomAccessFile file) {
    this.key = key;
    this.file = file;
  }

  /**
   * Takes a folder that exists.
   *
   * @throws TraceInUseException if somebody has it
   */
  static Ownership take(String traceId, Path folder) throws IOException {
    Path key = folder.toRealPath();
    for (int i = 0; i < ATTEMPTS; i++) {
      if (i > 0) {
        pause();
      }
      AtomicReference<Ownership> ours = new AtomicReference<>();
      Ownership owner =
          underEntry(
              key,
              held -> {
                RandomAccessFile file = held == null ? lock(key) : null;
                ours.set(file == null ? null : new Ownership(key, file));
                return file == null ? held : ours.get();
              });
      if (owner != null && owner == ours.get()) {
        return owner;
      }
      if (owner != null) {
        throw new TraceInUseException(traceId, "this process (" + folder + ")");
      }
    }
    throw new TraceInUseException(traceId, "another process (" + folder + ")");
  }

  /** Tells whether somebody has a folder. */
  static boolean isTaken(Path folder) {
    if (!Files.exists(folder.resolve(FILE))) {
      return false;
    }
    try {
      Path key = folder.toRealPath();
      AtomicBoolean taken = new AtomicBoolean(true);
      underEntry(
          key,
          held -> {
            if (held == null) {
              RandomAccessFile file = lock(key);
              taken.set(file == null);
              if (file != null) {
                file.close();
              }
            }
            return held;
          });
      return taken.get();
    } catch (IOException readOnly) {
      return false; // who cannot even lock does not write here
    }
  }

  /** What is done while nobody else of this process touches the lock of a folder. */
  private interface Step {
    @Nullable Ownership next(@Nullable Ownership held) throws IOException;
  }

  private static @Nullable Ownership underEntry(Path key, Step step) throws IOException {
    boolean interrupted = Thread.interrupted(); // an interrupt would close the channel
    try {
      return HELD.compute(
          key,
          (same, held) -> {
            try {
              return step.next(held);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Locks the file of a folder, or returns null if somebody has who is not in {@link #HELD}. If
   * that is this class by another loader, in this process, the file is not closed, which would take
   * the lock from it, but kept for the next attempt.
   */
  private static @Nullable RandomAccessFile lock(Path key) throws IOException {
    Path path = key.resolve(FILE);
    Opened opened = NOT_TO_BE_CLOSED.remove(key);
    if (opened != null && !opened.identity.equals(identity(path))) {
      opened.file.close(); // its owner has removed it
      opened = null;
    }
    if (opened == null) {
      RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
      Object identity = identity(path);
      if (identity == null) {
        file.close();
        return null;
      }
      opened = new Opened(file, identity);
    }
    boolean isKept = false;
    try {
      FileLock lock = opened.file.getChannel().tryLock();
      // Else its last owner has removed the file between the two, and a lock on it means nothing.
      isKept = lock != null && opened.identity.equals(identity(path));
      return isKept ? opened.file : null;
    } catch (OverlappingFileLockException loadedTwice) {
      NOT_TO_BE_CLOSED.put(key, opened);
      isKept = true;
      return null;
    } finally {
      if (!isKept) {
        opened.file.close();
      }
    }
  }

  private record Opened(RandomAccessFile file, Object identity) {}

  private static void pause() {
    boolean interrupted = Thread.interrupted(); // it is not to turn the waiting into spinning
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns what tells a file from any other, or null if it is gone. */
  static @Nullable Object identity(Path path) throws IOException {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return key == null ? path : key; // Windows has no key, but does not remove open files either
    } catch (NoSuchFileException gone) {
      return null;
    }
  }

  /** Gives the folder back. May be called again. */
  void release() throws IOException {
    if (!released.compareAndSet(false, true)) {
      return;
    }
    // The file first: who gets the entry may open it.
    try {
      file.close();
    } finally {
      HELD.remove(key, this);
    }
  }

  /** Gives the folder back and removes the file, since the folder is not going to be written. */
  void releaseAndRemoveFile() throws IOException {
    try {
      Files.deleteIfExists(key.resolve(FILE));
    } catch (IOException inUse) {
      // Windows does not remove an open file; it stays.
    } finally {
      release();
    }
  }
}
