package dev.stillframe.session;

import java.time.Clock;

/** A session that knows when it was used last. */
final class TrackedSession extends StoredSession {
  private final Clock clock;

  /** Written by whoever uses the session; a lost update means another use at the same time. */
  private volatile long lastUsedMillis;

  TrackedSession(UserScope user, String name, Object[] initial, Clock clock) {
    super(user, name, initial, clock.instant());
    this.clock = clock;
    lastUsedMillis = clock.millis();
  }

  @Override
  void use() {
    long now = clock.millis();
    if (now != lastUsedMillis) {
      lastUsedMillis = now;
    }
  }

  @Override
  long lastUsedMillis() {
    return lastUsedMillis;
  }

  @Override
  boolean isIdleFor(long millis) {
    return clock.millis() - lastUsedMillis >= millis;
  }
}
