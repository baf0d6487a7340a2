package dev.stillframe.session;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which events of a session to look at. The two restrictions combine: the newest so many of those
 * that are not before an instant. Newest means last appended; the instant is compared with what the
 * events say themselves.
 */
public final class EventFilter {
  private static final EventFilter ALL = new EventFilter(Integer.MAX_VALUE, null);

  private final int newest;
  private final @Nullable Instant notBefore;

  private EventFilter(int newest, @Nullable Instant notBefore) {
    this.newest = newest;
    this.notBefore = notBefore;
  }

  /**
   * Returns the filter that every event passes.
   *
   * @return no restriction
   */
  public static EventFilter all() {
    return ALL;
  }

  /**
   * Returns this filter restricted to the newest events.
   *
   * @param count how many events at most, 0 or more
   * @return a new filter
   * @throws IllegalArgumentException if the count is negative
   */
  public EventFilter newest(int count) {
    if (count < 0) {
      throw new IllegalArgumentException(
          "The number of newest events must not be negative: " + count);
    }
    return new EventFilter(count, notBefore);
  }

  /**
   * Returns this filter restricted to events that are not before an instant.
   *
   * @param instant the earliest instant that passes
   * @return a new filter
   */
  public EventFilter notBefore(Instant instant) {
    return new EventFilter(newest, Objects.requireNonNull(instant, "instant"));
  }

  /**
   * Returns how many events pass at most.
   *
   * @return the number, {@link Integer#MAX_VALUE} if there is no limit
   */
  public int newest() {
    return newest;
  }

  /**
   * Returns the earliest instant that passes.
   *
   * @return the instant, or null if every instant does
   */
  public @Nullable Instant notBefore() {
    return notBefore;
  }

  /**
   * Tells whether an event passes the restriction to an instant.
   *
   * @param event the event
   * @return true unless it is too early
   */
  public boolean admits(SessionEvent event) {
    return notBefore == null || !event.instant().isBefore(notBefore);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EventFilter that
        && newest == that.newest
        && Objects.equals(notBefore, that.notBefore);
  }

  @Override
  public int hashCode() {
    return Objects.hash(newest, notBefore);
  }

  @Override
  public String toString() {
    return "EventFilter[newest=" + newest + ", notBefore=" + notBefore + "]";
  }
}
