package dev.stillframe.session;

import java.util.Objects;

/**
 * What became of an event that was appended.
 *
 * @param outcome what was done
 * @param event the event as it is stored; for {@link Outcome#PARTIAL}, as it was given
 * @param version the version of the session: after this append, or as it was found
 */
public record AppendResult(Outcome outcome, SessionEvent event, long version) {

  /** What an append did. */
  public enum Outcome {
    /** The event is stored now, and its delta has taken effect with it. */
    APPENDED,

    /** An event with this id was there already; nothing was changed. */
    DUPLICATE,

    /** The event is partial; nothing was changed. */
    PARTIAL
  }

  /** Checks that nothing is null. */
  public AppendResult {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(event, "event");
  }
}
