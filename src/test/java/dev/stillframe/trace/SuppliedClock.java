package dev.stillframe.trace;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** A clock that shows, or throws, what a test says. */
final class SuppliedClock extends Clock {
  private final Supplier<Instant> now;

  SuppliedClock(Supplier<Instant> now) {
    this.now = now;
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("A test clock has no other zone");
  }
}
