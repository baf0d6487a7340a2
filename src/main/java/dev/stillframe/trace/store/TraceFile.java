package dev.stillframe.trace.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events file of a trace that is open for writing. Its lock is held while the file is written,
 * and by nobody else.
 */
final class TraceFile {
  /** What is handed to the operating system at once; more is copied there anyway. */
  private static final int SLICE = 1 << 16;

  private final Path path;
  private final Ownership ownership;
  private final Durability durability;
  private final Medium medium;
  private final @Nullable Object identity;
  private final ReentrantLock lock = new ReentrantLock();

  // Under the lock.

  /**
   * Up to here there are whole lines, or what was there before; events are written from here on.
   */
  private long end;

  /** Whether what is before the end may lack its line end. */
  private boolean isTorn;

  /** False to true. */
  private boolean isNameForced;

  /** False to true. */
  private boolean closed;

  private TraceFile(Path path, Ownership ownership, Durability durability, Medium medium)
      throws IOException {
    this.path = path;
    this.ownership = ownership;
    this.durability = durability;
    this.medium = medium;
    identity = Ownership.identity(path);
    end = medium.length();
    isTorn = end > 0 && medium.byteAt(end - 1) != '\n';
  }

  /**
   * Opens a file, which is created if need be. If its last line is torn, the next event begins a
   * new one; nothing is taken away.
   *
   * @param ownership of the folder; given back if this throws
   */
  static TraceFile open(Path path, Ownership ownership, Durability durability, Medium.Opener opener)
      throws IOException {
    Medium medium = null;
    TraceFile file = null;
    try {
      medium = opener.open(path);
      file = new TraceFile(path, ownership, durability, medium);
      return file;
    } finally {
      if (file == null) {
        try {
          if (medium != null) {
            medium.close();
          }
        } finally {
          ownership.release();
        }
      }
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return end == 0;
    } finally {
      lock.unlock();
    }
  }

  boolean isTorn() {
    lock.lock();
    try {
      return isTorn;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends records. If it throws, none of them is there, unless the file cannot be cut off again
   * either; then what is there of them are whole records and a torn line.
   */
  void append(byte[] records, int length) throws IOException {
    lock.lock();
    try {
      requireOpen();
      try {
        write(records, length);
        if (durability == Durability.EACH_EVENT) {
          force();
        }
      } catch (IOException | RuntimeException | Error failed) {
        takeBack(failed);
        throw failed;
      }
      end += length + (isTorn ? 1 : 0);
      isTorn = false;
    } finally {
      lock.unlock();
    }
  }

  private void write(byte[] records, int length) throws IOException {
    long position = end;
    if (isTorn) {
      medium.write(position++, new byte[] {'\n'}, 0, 1);
    }
    for (int from = 0; from < length; from += SLICE) {
      int count = Math.min(SLICE, length - from);
      medium.write(position + from, records, from, count);
    }
  }

  /** Cuts off what a failed append has written; if that fails as well, it stays as a torn line. */
  private void takeBack(Throwable failed) {
    try {
      medium.truncate(end);
    } catch (IOException again) {
      failed.addSuppressed(again);
      try {
        long length = medium.length();
        isTorn = isTorn || length > end;
        end = Math.max(end, length);
      } catch (IOException gone) {
        failed.addSuppressed(gone);
      }
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("A trace file must be open to be written; " + path + " is closed");
    }
    if (identity == null || !Objects.equals(identity, Ownership.identity(path))) {
      close();
      throw new IOException(
          "A trace file must stay where it is while it is written; " + path + " is gone");
    }
  }

  /** Forces the file to the disk and, the first time, the names that lead to it. */
  private void force() throws IOException {
    medium.force();
    if (!isNameForced) {
      Folders.forceWithParents(Objects.requireNonNull(path.getParent()));
      isNameForced = true;
    }
  }

  /** Makes what was appended durable. */
  void flush() throws IOException {
    lock.lock();
    try {
      if (!closed) {
        force();
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the file, and gives the folder back. May be called again. */
  void close() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      try {
        if (durability != Durability.NONE) {
          force();
        }
      } finally {
        try {
          medium.close();
        } finally {
          ownership.release();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
