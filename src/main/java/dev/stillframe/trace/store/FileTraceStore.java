package dev.stillframe.trace.store;

import dev.stillframe.json.Json;
import dev.stillframe.trace.StoreReport;
import dev.stillframe.trace.StoredTrace;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceInUseException;
import dev.stillframe.trace.TraceStatus;
import dev.stillframe.trace.TraceStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each trace in a folder of its own, {@code yyyyMMdd/<safe id>/events.jsonl}: one event a
 * line, in the form of {@link EventJson}, with a checksum as its last member.
 *
 * <p><b>What is appended</b> is in the hands of the operating system as the call returns, whole or,
 * if it throws, not at all; see {@link Durability} for when it is on the disk. A line that is torn
 * or damaged takes no other with it, neither as it is read nor as something is appended: damage is
 * told by {@link #replay}, and nothing is taken away.
 *
 * <p>Of a trace that is being written, what is read may end with a line that is told as damage
 * since it is not yet whole.
 *
 * <p><b>Any text is an id.</b> Names of folders are made so that no two ids share one on any file
 * system, and none leads out of the base folder. The day is the one with which the id begins, else
 * that on which the trace was opened, in UTC.
 *
 * <p><b>One owner.</b> A trace is open for writing in one place on a machine: elsewhere, in this
 * process or another, {@link TraceInUseException} is thrown. What a process owned is free when it
 * ends, however it ends. Reading needs no ownership. An open trace holds two files open. On a
 * network file system all this is as good as its locks.
 *
 * <p><b>An archive</b> is one gzip file, {@code events.jsonl.gz}, which is only read.
 *
 * <p>It may be used by any number of threads. Calls may block as files do; an interrupt ends none
 * of them. It needs {@code com.fasterxml.jackson.core:jackson-core}.
 */
public final class FileTraceStore implements TraceStore, AutoCloseable {
  private static final int LONGEST = 128 << 20;
  private static final Logger LOGGER = System.getLogger(FileTraceStore.class.getPackageName());

  private final Folders folders;
  private final Durability durability;
  private final EventJson form;
  private final int longest;
  private final Medium.Opener opener;
  private final TraceReading reading;

  private final AtomicBoolean tornReported = new AtomicBoolean();
  private final AtomicBoolean damageReported = new AtomicBoolean();

  /** The traces that this store may write, by id. */
  private final ConcurrentMap<String, TraceFile> open = new ConcurrentHashMap<>();

  /** False to true. */
  private volatile boolean closed;

  private FileTraceStore(Builder builder) {
    folders = new Folders(builder.base);
    durability = builder.durability;
    form = EventJson.of(builder.json == null ? Json.standard() : builder.json);
    longest = builder.longest;
    opener = builder.opener;
    reading = new TraceReading(form, longest);
  }

  /**
   * Creates a store with the defaults.
   *
   * @param base the folder that holds everything; it is created when it is needed
   * @return a store
   * @throws dev.stillframe.StillframeException if Jackson is missing
   */
  public static FileTraceStore in(Path base) {
    return builder(base).build();
  }

  /**
   * Starts a store.
   *
   * @param base the folder that holds everything; it is created when it is needed
   * @return a new builder with the defaults
   */
  public static Builder builder(Path base) {
    return new Builder(Objects.requireNonNull(base, "base").toAbsolutePath());
  }

  /** Collects options. A builder belongs to one thread; it may be reused. */
  public static final class Builder {
    private final Path base;
    private Durability durability = Durability.EACH_FLUSH;
    private @Nullable Json json;
    private int longest = LONGEST;
    private Medium.Opener opener = Medium::file;

    private Builder(Path base) {
      this.base = base;
    }

    /**
     * Sets when events are on the disk. Default: {@link Durability#EACH_FLUSH}.
     *
     * @param durability when
     * @return this
     */
    public Builder durability(Durability durability) {
      this.durability = Objects.requireNonNull(durability, "durability");
      return this;
    }

    /**
     * Sets how values look. Default: {@link Json#standard()}.
     *
     * @param json the rules; they must not use the tag {@code error}
     * @return this
     */
    public Builder json(Json json) {
      this.json = Objects.requireNonNull(json, "json");
      return this;
    }

    /**
     * Sets how long the line of one event may be; a longer event is not kept, and counted as a
     * failed write. Reading needs some three times that much memory. Default: 128 MiB.
     *
     * @param bytes the number
     * @return this
     * @throws IllegalArgumentException if it is less than 1,024
     */
    public Builder maxEventBytes(int bytes) {
      if (bytes < 1_024) {
        throw new IllegalArgumentException("maxEventBytes must be 1024 at least; it is " + bytes);
      }
      longest = bytes;
      return this;
    }

    /** Sets what opens files to write. */
    Builder opener(Medium.Opener opener) {
      this.opener = opener;
      return this;
    }

    /**
     * Creates the store.
     *
     * @return a store
     * @throws dev.stillframe.StillframeException if Jackson is missing
     */
    public FileTraceStore build() {
      return new FileTraceStore(this);
    }
  }

  // Writing

  @Override
  public void create(String traceId, Instant at) throws IOException {
    requireOpen();
    requireNotOpenHere(traceId);
    requireUnknown(traceId, folders.find(traceId));
    Path folder = folders.forNew(traceId, at);
    TraceFile file = openFile(traceId, folder);
    if (file == null) {
      requireUnknown(traceId, folder);
      return;
    }
    boolean ours = false;
    try {
      // Looked at again: somebody may have had it, and let it go, or have it under another day.
      boolean free = file.isEmpty() && !Files.exists(folder.resolve(Folders.ARCHIVE));
      requireUnknown(traceId, free ? folders.find(traceId) : folder);
      ours = true;
    } finally {
      if (!ours) {
        close(traceId, file);
      }
    }
  }

  private static void requireUnknown(String traceId, @Nullable Path there) {
    if (there != null) {
      throw new IllegalArgumentException(
          "A trace id must be used once only in a store; '" + traceId + "' is kept in " + there);
    }
  }

  @Override
  public boolean resume(String traceId) throws IOException {
    requireOpen();
    Path folder = folders.find(traceId);
    if (folder == null
        || Folders.isArchived(folder)
        || reading.status(folder, traceId).isFinal()) { // whoever has it: it stays as it is
      return false;
    }
    requireNotOpenHere(traceId);
    TraceFile file = openFile(traceId, folder);
    if (file == null) {
      return false;
    }
    boolean ours = false;
    try {
      // Within the lock, so that nobody ends it in between.
      ours = !reading.status(folder, traceId).isFinal();
      return ours;
    } finally {
      if (!ours) {
        close(traceId, file);
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("A store must be open to be written; this one is closed");
    }
  }

  private void requireNotOpenHere(String traceId) {
    if (open.containsKey(traceId)) {
      throw new TraceInUseException(traceId, "this store");
    }
  }

  /**
   * Refuses a trace that somebody has under another day, which happens around midnight. Of two that
   * open it so, each looks after it has taken its own folder, so that one sees the other at least.
   * Whoever let go of it in between has left events, if any, for who looks for them after this.
   */
  private void requireNotOpenElsewhere(String traceId, Path folder) throws IOException {
    for (Path other : folders.findAll(traceId)) {
      if (!other.equals(folder) && Ownership.isTaken(other)) {
        throw new TraceInUseException(traceId, "the folder of another day (" + other + ")");
      }
    }
  }

  /**
   * Takes a folder and opens its file. What is looked at before that may have changed by then.
   *
   * @return null if the trace is archived, so that nothing must be written
   */
  private @Nullable TraceFile openFile(String traceId, Path folder) throws IOException {
    Files.createDirectories(folder);
    Ownership ownership = Ownership.take(traceId, folder);
    TraceFile file = null;
    boolean isReady = false;
    try {
      requireNotOpenElsewhere(traceId, folder);
      if (Folders.isArchived(folder)) {
        return null;
      }
      Folders.writeId(folder, traceId);
      file = TraceFile.open(folder.resolve(Folders.EVENTS), ownership, durability, opener);
      if (!file.isEmpty()) {
        Folders.delete(folder.resolve(Folders.ARCHIVE)); // left by a crash: it was not done
      }
      isReady = true;
    } finally {
      if (!isReady && file != null) {
        file.close();
      } else if (!isReady) {
        ownership.release();
      }
    }
    if (file.isTorn()) {
      warnOnce(
          tornReported,
          "The last line of trace '" + traceId + "' is torn; what follows begins a new line");
    }
    open.put(traceId, file);
    if (closed) { // meanwhile; whoever closed it may have missed this one
      close(traceId, file);
      requireOpen();
    }
    return file;
  }

  @Override
  public void append(String traceId, List<TraceEvent> events) throws IOException {
    requireOpen();
    RecordBuffer records = RecordBuffer.of(form, events, longest);
    if (events.isEmpty()) {
      return;
    }
    try {
      fileFor(traceId, events.get(0).timestamp()).append(records.bytes(), records.length());
    } catch (Throwable thrown) {
      forgetIfClosed(traceId);
      throw thrown;
    }
  }

  /** Returns the open file; opens it if it is not, since it was not taken, or is gone. */
  private TraceFile fileFor(String traceId, Instant at) throws IOException {
    TraceFile file = open.get(traceId);
    if (file != null) {
      return file;
    }
    Path folder = folders.find(traceId);
    file = openFile(traceId, folder == null ? folders.forNew(traceId, at) : folder);
    if (file == null) {
      throw new IOException("An archived trace must only be read; '" + traceId + "' is archived");
    }
    return file;
  }

  private void forgetIfClosed(String traceId) {
    open.computeIfPresent(traceId, (id, file) -> file.isClosed() ? null : file);
  }

  @Override
  public void flush(String traceId) throws IOException {
    TraceFile file = open.get(traceId);
    if (file != null && durability != Durability.NONE) {
      file.flush();
    }
  }

  @Override
  public void release(String traceId) throws IOException {
    TraceFile file = open.get(traceId);
    if (file != null) {
      close(traceId, file);
    }
  }

  private void close(String traceId, TraceFile file) throws IOException {
    try {
      file.close();
    } finally {
      open.remove(traceId, file);
    }
  }

  // Reading

  @Override
  public List<TraceEvent> read(String traceId, long after, int limit) throws IOException {
    Path folder = folders.find(traceId);
    return folder == null ? List.of() : reading.read(folder, traceId, after, limit);
  }

  @Override
  public StoreReport replay(String traceId, Consumer<? super TraceEvent> events)
      throws IOException {
    Path folder = folders.find(traceId);
    if (folder == null) {
      return new StoreReport(0, 0, 0, List.of());
    }
    StoreReport report = reading.replay(folder, traceId, events);
    if (!report.isWhole()) {
      warnOnce(
          damageReported,
          "Trace '"
              + traceId
              + "' is damaged in "
              + report.damages()
              + " places, of which the first is "
              + report.damage().get(0));
    }
    return report;
  }

  /**
   * Reads the events of one file, wherever it is: an {@code events.jsonl}, or an archive of one. It
   * needs no store and takes no ownership, and writes nothing. Lines of any other trace than that
   * of the first event are told as damage.
   *
   * @param file the file
   * @param events gets each event that can be read, in order, on the calling thread; what it throws
   *     ends the reading and is thrown
   * @return what was read, and what is damaged
   * @throws IOException if the file cannot be read
   * @throws dev.stillframe.StillframeException if Jackson is missing
   */
  public static StoreReport replayFile(Path file, Consumer<? super TraceEvent> events)
      throws IOException {
    Objects.requireNonNull(events, "events");
    return new TraceReading(EventJson.standard(), LONGEST)
        .replayFile(Objects.requireNonNull(file, "file"), events);
  }

  @Override
  public @Nullable StoredTrace find(String traceId) throws IOException {
    Path folder = folders.find(traceId);
    if (folder == null) {
      return null;
    }
    TraceStatus status = reading.status(folder, traceId);
    boolean isOpen = !status.isFinal() && (open.containsKey(traceId) || Ownership.isTaken(folder));
    boolean isArchived = Folders.isArchived(folder);
    return new StoredTrace(
        traceId,
        Folders.dayOf(folder),
        isOpen ? TraceStatus.RUNNING : status,
        reading.lastSequence(folder, traceId),
        folder.resolve(isArchived ? Folders.ARCHIVE : Folders.EVENTS).toFile().length(),
        isArchived);
  }

  @Override
  public List<String> list() throws IOException {
    List<String> ids = new ArrayList<>();
    for (LocalDate day : folders.days()) {
      ids.addAll(folders.ids(day));
    }
    return ids;
  }

  @Override
  public List<String> list(LocalDate day) throws IOException {
    return folders.ids(day);
  }

  /** Logs the first of a kind. The logger is the user's; if it throws, there is nobody to tell. */
  private static void warnOnce(AtomicBoolean reported, String message) {
    try {
      if (reported.compareAndSet(false, true)) {
        LOGGER.log(Level.WARNING, message + "; further ones are not logged");
      }
    } catch (Throwable thrown) {
      // what is logged is in the report as well
    }
  }

  // Keeping house

  @Override
  public boolean archive(String traceId) throws IOException {
    requireNotOpenHere(traceId);
    Path folder = folders.find(traceId);
    if (folder == null || Folders.isArchived(folder)) {
      return false;
    }
    Ownership ownership = Ownership.take(traceId, folder);
    boolean archived = false;
    try {
      if (!Folders.isArchived(folder)) {
        reading.forget(traceId);
        Archives.archive(folder);
        archived = true;
      }
      return archived;
    } finally {
      if (archived) {
        ownership.releaseAndRemoveFile();
      } else {
        ownership.release();
      }
    }
  }

  @Override
  public boolean remove(String traceId) throws IOException {
    requireNotOpenHere(traceId);
    boolean removed = false;
    for (Path folder : folders.findAll(traceId)) {
      Ownership ownership = Ownership.take(traceId, folder);
      try {
        removed |= Folders.hasEvents(folder);
        reading.forget(traceId);
        Folders.removeFiles(folder);
      } finally {
        ownership.releaseAndRemoveFile();
      }
      removeIfEmpty(folder);
    }
    return removed;
  }

  private static void removeIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException other) {
      // somebody else's files are in it, or it is a trace again
    }
  }

  /**
   * Releases all traces. Nothing can be appended from here on; what is appended all the same fails.
   * Reading goes on.
   *
   * @throws IOException if one cannot be made durable; all are released
   */
  @Override
  public void close() throws IOException {
    closed = true;
    IOException first = null;
    for (String traceId : List.copyOf(open.keySet())) {
      try {
        release(traceId);
      } catch (IOException thrown) {
        if (first == null) {
          first = thrown;
        } else {
          first.addSuppressed(thrown);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
