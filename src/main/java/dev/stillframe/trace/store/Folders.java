package dev.stillframe.trace.store;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where traces are: {@code yyyyMMdd/<safe name of the id>/}. The day is the one with which the id
 * begins, else that on which the trace was opened.
 */
final class Folders {
  static final String EVENTS = "events.jsonl";
  static final String ARCHIVE = "events.jsonl.gz";
  static final String UNFINISHED_ARCHIVE = "events.jsonl.gz.part";

  /** The id, as chars of two bytes, in a folder whose name does not tell it. */
  static final String ID = "id";

  private static final String UNFINISHED_ID = "id.part";

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
  private static final int DAY_LENGTH = 8;
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private final Path base;

  Folders(Path base) {
    this.base = base;
  }

  /** Returns the day with which a text begins, or null. */
  private static @Nullable LocalDate dayAtStart(String text) {
    if (text.length() < DAY_LENGTH || !text.substring(0, DAY_LENGTH).matches("[0-9]{8}")) {
      return null;
    }
    try {
      return LocalDate.parse(text.substring(0, DAY_LENGTH), DAY);
    } catch (DateTimeParseException noDay) {
      return null;
    }
  }

  /** Returns where a new trace is to be. */
  Path forNew(String traceId, Instant at) {
    LocalDate day = dayAtStart(traceId);
    if (day == null) {
      if (at.isBefore(FIRST) || at.isAfter(LAST)) {
        throw new IllegalArgumentException(
            "A trace that is kept in a file must begin in a year of four digits; '"
                + traceId
                + "' begins at "
                + at);
      }
      day = at.atZone(ZoneOffset.UTC).toLocalDate();
    }
    return folder(day, traceId);
  }

  private Path folder(LocalDate day, String traceId) {
    return base.resolve(DAY.format(day)).resolve(SafeNames.of(traceId));
  }

  static LocalDate dayOf(Path folder) {
    return LocalDate.parse(parent(folder).getFileName().toString(), DAY);
  }

  private static Path parent(Path folder) {
    return Objects.requireNonNull(folder.getParent(), "parent");
  }

  /** Finds the folders of a trace: one at most, unless something went wrong; it may be empty. */
  List<Path> findAll(String traceId) throws IOException {
    LocalDate known = dayAtStart(traceId);
    List<Path> found = new ArrayList<>();
    for (LocalDate day : known == null ? days() : List.of(known)) {
      Path folder = folder(day, traceId);
      if (Files.isDirectory(folder)) {
        found.add(folder);
      }
    }
    return found;
  }

  /** Finds the folder of a trace that holds events. */
  @Nullable Path find(String traceId) throws IOException {
    for (Path folder : findAll(traceId)) {
      if (hasEvents(folder)) {
        return folder;
      }
    }
    return null;
  }

  static boolean hasEvents(Path folder) {
    return folder.resolve(EVENTS).toFile().length() > 0 || Files.exists(folder.resolve(ARCHIVE));
  }

  /** Tells whether a trace is archived: the archive counts once the file is gone. */
  static boolean isArchived(Path folder) {
    return !Files.exists(folder.resolve(EVENTS)) && Files.exists(folder.resolve(ARCHIVE));
  }

  /** Lists the days that have folders, in order. */
  List<LocalDate> days() throws IOException {
    List<LocalDate> days = new ArrayList<>();
    for (Path folder : list(base)) {
      String name = folder.getFileName().toString();
      LocalDate day = name.length() == DAY_LENGTH ? dayAtStart(name) : null;
      if (day != null) {
        days.add(day);
      }
    }
    Collections.sort(days);
    return days;
  }

  /** Lists the ids of a day. */
  List<String> ids(LocalDate day) throws IOException {
    List<String> ids = new ArrayList<>();
    for (Path folder : list(base.resolve(DAY.format(day)))) {
      String id = hasEvents(folder) ? idOf(folder) : null;
      if (id != null) {
        ids.add(id);
      }
    }
    Collections.sort(ids);
    return ids;
  }

  private static @Nullable String idOf(Path folder) throws IOException {
    String name = folder.getFileName().toString();
    if (!SafeNames.isHashed(name)) {
      return SafeNames.idOf(name);
    }
    try {
      byte[] bytes = Files.readAllBytes(folder.resolve(ID));
      StringBuilder chars = new StringBuilder();
      for (int i = 0; i + 1 < bytes.length; i += 2) {
        chars.append((char) ((bytes[i] << 8) | (bytes[i + 1] & 0xff)));
      }
      String id = chars.toString();
      return SafeNames.of(id).equals(name) ? id : null;
    } catch (NoSuchFileException lost) {
      return null;
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    }
    return entries;
  }

  /**
   * Puts the id into a folder whose name does not tell it, if it is not there. Somebody may be
   * reading it, so that it is there whole or not at all. Called by who owns the folder.
   */
  static void writeId(Path folder, String traceId) throws IOException {
    if (traceId.equals(idOf(folder))) {
      return;
    }
    byte[] id = new byte[2 * traceId.length()]; // by hand: an encoder would replace surrogates
    for (int i = 0; i < traceId.length(); i++) {
      id[2 * i] = (byte) (traceId.charAt(i) >> 8);
      id[2 * i + 1] = (byte) traceId.charAt(i);
    }
    Path part = folder.resolve(UNFINISHED_ID);
    try (FileOutputStream out = new FileOutputStream(part.toFile())) {
      out.write(id);
      out.getFD().sync(); // else a power cut could leave the name without the content
    }
    Files.move(
        part,
        folder.resolve(ID),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  static void forceWithParents(Path folder) {
    force(folder);
    force(parent(folder));
    force(parent(parent(folder)));
  }

  /** Makes the entries of a folder durable, where the operating system can. */
  static void force(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException cannot) {
      // Windows has no such thing, and does not need it.
    }
  }

  /** Removes a folder and what we have put into it. The lock is the caller's to remove. */
  static void removeFiles(Path folder) throws IOException {
    for (String name : List.of(EVENTS, ARCHIVE, UNFINISHED_ARCHIVE, ID, UNFINISHED_ID)) {
      delete(folder.resolve(name));
    }
  }

  /** Deletes a file if it is there. */
  static void delete(Path file) throws IOException {
    if (Files.exists(file)) {
      file.toFile().setWritable(true); // Windows does not delete a read-only file
      Files.delete(file);
    }
  }
}
