package dev.stillframe.trace;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Ids of traces: the date, and 12 digits that do not come back within this process. */
final class TraceIds {
  private static final long RANGE = 1_000_000_000_000L;

  /** Prime to the range, so that all of it is used before a number comes back. */
  private static final long STEP = 618_033_988_749L;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Starts anywhere, so that processes differ. */
  private static final AtomicLong LAST =
      new AtomicLong(ThreadLocalRandom.current().nextLong(RANGE));

  private TraceIds() {}

  static String next(Instant now) {
    long number = LAST.updateAndGet(last -> (last + STEP) % RANGE);
    String digits = Long.toString(RANGE + number).substring(1);
    return DATE.format(now) + digits;
  }
}
