package dev.stillframe.trace;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * Adds up events to the picture of their trace, as the trace itself does: for who has the events
 * and not the trace, since they come over a wire, or from a file that another process may still be
 * writing.
 *
 * <pre>{@code
 * TraceFold fold = new TraceFold();
 * FileTraceStore.replayFile(file, fold);
 * System.out.print(TraceViews.textTree(fold.snapshot(), 100));
 * }</pre>
 *
 * <p>Events are given in order, from the first one on. Where some are missing, what they would have
 * told is unknown: a node whose start is missing is there, and has the label {@code (lost)}.
 *
 * <p>It may be used by one thread at a time, and calls nobody.
 */
public final class TraceFold implements Consumer<TraceEvent> {
  private final TraceModel model = new TraceModel();
  private long last;

  /** Creates a fold of no events. */
  public TraceFold() {}

  /**
   * Adds the next event.
   *
   * @param event the event; a gap changes nothing
   * @throws IllegalArgumentException if its sequence number is not greater than that of the event
   *     before; it has no effect then
   */
  @Override
  public void accept(TraceEvent event) {
    long sequence = Objects.requireNonNull(event, "event").sequence();
    if (sequence <= last) {
      throw new IllegalArgumentException(
          "Events must be added in order; event " + sequence + " follows event " + last);
    }
    last = sequence;
    if (!(event instanceof TraceEvent.Gap)) {
      model.restore(event);
    }
  }

  /**
   * Returns the picture that the events add up to. A trace that they do not end is {@link
   * TraceStatus#RUNNING}, whatever has become of it.
   *
   * @return the trace as of the last event
   */
  public TraceSnapshot snapshot() {
    return model.snapshot();
  }
}
