package dev.stillframe.trace;

import dev.stillframe.StillframeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The open traces of a program, by id. It may be used by any number of threads. A trace is in it
 * from the moment when it is opened or loaded until it is released, by whomever; a released trace
 * leaves nothing behind.
 */
public final class TraceRegistry implements AutoCloseable {
  /** From absent to a slot, in which a trace is opened, and back when that fails or is released. */
  private final ConcurrentMap<String, Slot> slots = new ConcurrentHashMap<>();

  private final @Nullable TraceStore store;

  /** A place that is taken; the trace follows. */
  private static final class Slot {
    /** Null while it is being opened. */
    volatile @Nullable TraceManager trace;
  }

  /** From false to true. */
  private volatile boolean closed;

  private TraceRegistry(@Nullable TraceStore store) {
    this.store = store;
  }

  /**
   * Creates a registry of traces in memory.
   *
   * @return an empty registry
   */
  public static TraceRegistry create() {
    return new TraceRegistry(null);
  }

  /**
   * Creates a registry of traces that are kept in a store.
   *
   * @param store used by all traces, whatever their options say
   * @return a registry without open traces
   */
  public static TraceRegistry over(TraceStore store) {
    return new TraceRegistry(Objects.requireNonNull(store, "store"));
  }

  /**
   * Opens a trace with the default options.
   *
   * @return a new trace
   */
  public TraceManager open() {
    return open(TraceOptions.defaults());
  }

  /**
   * Opens a trace. Of many that race for one id, exactly one gets it.
   *
   * @param options its options
   * @return a new trace
   * @throws IllegalArgumentException if the id is that of an open trace, or of one that is stored
   * @throws IllegalStateException if this registry is closed
   * @throws TraceInUseException if the store says that the trace is open elsewhere
   * @throws StillframeException if the store cannot keep it
   */
  public TraceManager open(TraceOptions options) {
    Objects.requireNonNull(options, "options");
    String id = options.id == null ? TraceIds.next(options.clock.instant()) : options.id;
    return register(id, released -> TraceManager.open(id, own(options), released));
  }

  /**
   * Loads a trace from the store. If it had not been ended, it is interrupted, and goes on where it
   * was as soon as something changes it: its open nodes are open, and {@link
   * TraceManager#handle(String)} finds them. If it had been ended, it can be read. What the store
   * has lost is told by {@link TraceManager#loadReport()}. With {@link
   * TraceOptions.Builder#retainEvents(long)}, no more events are in memory at a time than that.
   *
   * @param id its id
   * @param options its options; their id does not count
   * @return the trace
   * @throws IllegalStateException if this registry has no store, or is closed
   * @throws IllegalArgumentException if the store does not know the id, or it is that of an open
   *     trace
   * @throws TraceInUseException if the store says that the trace is open elsewhere
   * @throws StillframeException if the store cannot read it, or none of its events, or has archived
   *     it before it was ended
   */
  public TraceManager load(String id, TraceOptions options) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(options, "options");
    if (store == null) {
      throw new IllegalStateException("Only a registry over a store can load trace '" + id + "'");
    }
    return register(id, released -> TraceManager.load(id, own(options), released));
  }

  private TraceOptions own(TraceOptions options) {
    return store == null ? options : options.withStore(store);
  }

  /** Opens a trace in a slot. */
  private interface Opening {
    TraceManager open(Runnable released);
  }

  private TraceManager register(String id, Opening opening) {
    requireOpen(id);
    Slot slot = new Slot();
    if (slots.putIfAbsent(id, slot) != null) {
      throw new IllegalArgumentException("A trace id must be open once only; '" + id + "' is open");
    }
    try {
      TraceManager trace = opening.open(() -> slots.remove(id, slot));
      slot.trace = trace; // and then a look at the flag: either close finds the trace, or we do
      if (closed) {
        trace.close();
        requireOpen(id);
      }
      return trace;
    } finally {
      if (slot.trace == null) {
        slots.remove(id, slot);
      }
    }
  }

  /**
   * Finds an open trace.
   *
   * @param id its id
   * @return the trace, or null
   */
  public @Nullable TraceManager find(String id) {
    Slot slot = slots.get(Objects.requireNonNull(id, "id"));
    return slot == null ? null : slot.trace;
  }

  /**
   * Lists the open traces.
   *
   * @return the traces, in no order
   */
  public List<TraceManager> list() {
    List<TraceManager> traces = new ArrayList<>();
    for (Slot slot : slots.values()) {
      TraceManager trace = slot.trace;
      if (trace != null) {
        traces.add(trace);
      }
    }
    return List.copyOf(traces);
  }

  /**
   * Cancels an open trace, which stays in the registry.
   *
   * @param id its id
   * @param reason why
   * @return true if this call has ended it; false if it is not open or had been ended
   */
  public boolean cancel(String id, String reason) {
    Objects.requireNonNull(reason, "reason");
    TraceManager trace = find(id);
    try {
      return trace != null && trace.cancel(reason);
    } catch (TraceClosedException released) {
      return false;
    }
  }

  /**
   * Releases an open trace, see {@link TraceManager#close()}.
   *
   * @param id its id
   * @return true if it was open
   */
  public boolean release(String id) {
    TraceManager trace = find(id);
    if (trace == null) {
      return false;
    }
    trace.close();
    return true;
  }

  /**
   * Releases a trace if it is open, and removes it from the store if there is one.
   *
   * @param id its id
   * @return true if it was there
   * @throws Exception if the store cannot remove it
   */
  public boolean remove(String id) throws Exception {
    boolean released = release(id);
    boolean removed = store != null && store.remove(id);
    return released || removed;
  }

  private void requireOpen(String id) {
    if (closed) {
      throw new IllegalStateException(
          "A registry must not open a trace once it is closed; the trace is '" + id + "'");
    }
  }

  /**
   * Releases all traces, one after the other. From then on none can be opened or loaded here; one
   * that is just being opened is released, and its caller gets {@link IllegalStateException}.
   */
  @Override
  public void close() {
    closed = true;
    list().forEach(TraceManager::close);
  }
}
