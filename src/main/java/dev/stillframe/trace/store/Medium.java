package dev.stillframe.trace.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A file that is written. Tests have others, that fail. */
interface Medium extends Closeable {
  /** Opens files. */
  interface Opener {
    Medium open(Path path) throws IOException;
  }

  long length() throws IOException;

  int byteAt(long position) throws IOException;

  /** Writes all of it, or throws, having written any part of it. */
  void write(long position, byte[] bytes, int offset, int count) throws IOException;

  void truncate(long length) throws IOException;

  void force() throws IOException;

  /** Opens a file, which is created if need be. */
  static Medium file(Path path) throws IOException {
    // No FileChannel: an interrupt of the thread that uses one closes it for everybody.
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    return new Medium() {
      @Override
      public long length() throws IOException {
        return file.length();
      }

      @Override
      public int byteAt(long position) throws IOException {
        file.seek(position);
        return file.read();
      }

      @Override
      public void write(long position, byte[] bytes, int offset, int count) throws IOException {
        file.seek(position);
        file.write(bytes, offset, count);
      }

      @Override
      public void truncate(long length) throws IOException {
        file.setLength(length);
      }

      @Override
      public void force() throws IOException {
        file.getFD().sync();
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
