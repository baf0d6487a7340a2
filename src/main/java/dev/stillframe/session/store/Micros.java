package dev.stillframe.session.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as they are stored: microseconds since 1970. */
final class Micros {
  private Micros() {}

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  static long of(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
