package dev.stillframe.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * What was found as the events of a trace were read from its store.
 *
 * @param events how many events were read
 * @param lastSequence the number of the last one, or 0
 * @param damages how many places were damaged, or lacked events
 * @param damage the first thousand of them, in the order in which they were found
 */
public record StoreReport(long events, long lastSequence, long damages, List<Damage> damage) {
  /** Nothing was read. */
  static final StoreReport NONE = new StoreReport(0, 0, 0, List.of());

  /**
   * Creates a report.
   *
   * @param events how many events were read
   * @param lastSequence the number of the last one, or 0
   * @param damages how many places were damaged, or lacked events
   * @param damage the first of them; copied
   */
  public StoreReport {
    damage = List.copyOf(damage);
  }

  /**
   * Tells whether everything was there and whole.
   *
   * @return true if there was no damage
   */
  public boolean isWhole() {
    return damages == 0;
  }

  /**
   * A place that is damaged, or where events are missing.
   *
   * @param line the line, from 1, or 0 if the store has no lines
   * @param first the first sequence number that is missing there, or 0 if that is not known
   * @param last the last one, or 0
   * @param what what is wrong, for people
   */
  public record Damage(long line, long first, long last, String what) {

    /** Returns all of it in one line. */
    @Override
    public String toString() {
      List<String> parts = new ArrayList<>();
      if (line != 0) {
        parts.add("line " + line);
      }
      if (first != 0) {
        parts.add(first == last ? "event " + first : "events " + first + " to " + last);
      }
      return parts.isEmpty() ? what : String.join(", ", parts) + ": " + what;
    }
  }
}
