package dev.stillframe.trace.store;

import dev.stillframe.trace.TraceInUseException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The right to write a folder, of which there is one at a time on a machine.
 *
 * <p>Between processes it is the operating system's lock on a file, which ends with the process,
 * however that ends. Within one it is an entry in {@link #HELD}: the operating system would hand
 * the lock out twice, and take it away as soon as the file is closed by anybody here. So whoever
 * has no entry does not touch the file.
 */
final class Ownership {
  static final String FILE = "lock";

  /** Looking whether a folder is owned takes its lock for a moment, which is waited for. */
  private static final int ATTEMPTS = 20;

  private static final int PAUSE_MILLIS = 5;

  /** The folders that are owned within this process, by their real path. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

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
    Ownership taken = tryTake(traceId, folder, ATTEMPTS);
    if (taken == null) {
      throw new TraceInUseException(traceId, "another process (" + folder + ")");
    }
    return taken;
  }

  /** Tells whether somebody has a folder. */
  static boolean isTaken(String traceId, Path folder) {
    if (!Files.exists(folder.resolve(FILE))) {
      return false;
    }
    try {
      Ownership free = tryTake(traceId, folder, 1);
      if (free != null) {
        free.release();
      }
      return free == null;
    } catch (TraceInUseException here) {
      return true;
    } catch (IOException readOnly) {
      return false; // who cannot even lock does not write here
    }
  }

  private static @Nullable Ownership tryTake(String traceId, Path folder, int attempts)
      throws IOException {
    Path key = folder.toRealPath();
    if (!HELD.add(key)) {
      throw new TraceInUseException(traceId, "this process (" + folder + ")");
    }
    RandomAccessFile file = null;
    boolean interrupted = Thread.interrupted(); // an interrupt would close the channel
    try {
      file = lock(key.resolve(FILE).toFile(), attempts);
      return file == null ? null : new Ownership(key, file);
    } finally {
      if (file == null) {
        HELD.remove(key);
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static @Nullable RandomAccessFile lock(File path, int attempts) throws IOException {
    for (int i = 0; i < attempts; i++) {
      if (i > 0) {
        pause();
      }
      RandomAccessFile file = new RandomAccessFile(path, "rw");
      boolean locked = false;
      try {
        Object opened = identity(path.toPath());
        FileLock lock = file.getChannel().tryLock();
        // Else its last owner has removed the file between the two, and a lock on it means nothing.
        locked = lock != null && opened != null && Objects.equals(opened, identity(path.toPath()));
        if (locked) {
          return file;
        }
      } catch (OverlappingFileLockException loadedTwice) {
        return null; // this class, by another loader of this process
      } finally {
        if (!locked) {
          file.close();
        }
      }
    }
    return null;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
      HELD.remove(key);
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
