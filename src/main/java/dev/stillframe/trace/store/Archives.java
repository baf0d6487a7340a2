package dev.stillframe.trace.store;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/** Makes one gzip file of an events file, byte for byte. */
final class Archives {
  private static final int BUFFER = 1 << 16;

  private Archives() {}

  /**
   * Archives a folder. The events file is removed after the archive is whole, on the disk, and
   * compared. A crash leaves the events file, or both, of which the events file counts.
   */
  static void archive(Path folder) throws IOException {
    Path events = folder.resolve(Folders.EVENTS);
    Path part = folder.resolve(Folders.UNFINISHED_ARCHIVE);
    try {
      compress(events, part);
      if (checksum(new FileInputStream(events.toFile()))
          != checksum(new GZIPInputStream(new FileInputStream(part.toFile()), BUFFER))) {
        throw new IOException("An archive must hold what the file holds; " + part + " does not");
      }
      part.toFile().setReadOnly();
      Path archive = folder.resolve(Folders.ARCHIVE);
      archive.toFile().setWritable(true);
      Files.move(
          part, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      Folders.force(folder);
      Files.delete(events);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void compress(Path from, Path to) throws IOException {
    try (InputStream in = new FileInputStream(from.toFile());
        FileOutputStream file = new FileOutputStream(to.toFile());
        GZIPOutputStream out = new GZIPOutputStream(file, BUFFER)) {
      in.transferTo(out);
      out.finish();
      file.getFD().sync();
    }
  }

  /** Reads an archive. What is none is found damaged as it is read. */
  static InputStream reading(InputStream in) throws IOException {
    try {
      return new GZIPInputStream(in, BUFFER);
    } catch (EOFException | ZipException noArchive) {
      in.close();
      return new InputStream() {
        @Override
        public int read() throws IOException {
          throw noArchive;
        }

        @Override
        public int read(byte[] bytes, int offset, int count) throws IOException {
          throw noArchive;
        }
      };
    }
  }

  private static long checksum(InputStream stream) throws IOException {
    try (CheckedInputStream in = new CheckedInputStream(stream, new CRC32())) {
      in.transferTo(OutputStream.nullOutputStream());
      return in.getChecksum().getValue();
    }
  }
}
