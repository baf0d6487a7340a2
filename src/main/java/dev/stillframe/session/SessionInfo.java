package dev.stillframe.session;

import java.time.Instant;
import java.util.Objects;

/**
 * What a list shows of a session.
 *
 * @param id the session
 * @param version how often it was appended to or rewound
 * @param eventCount how many events it has
 * @param created when it was created
 * @param lastChanged when it was created, appended to or rewound last
 */
public record SessionInfo(
    SessionId id, long version, int eventCount, Instant created, Instant lastChanged) {

  /** Checks that nothing is null. */
  public SessionInfo {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(lastChanged, "lastChanged");
  }
}
