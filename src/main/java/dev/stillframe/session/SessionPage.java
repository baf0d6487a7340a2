package dev.stillframe.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of sessions: those that changed last come first; of those that changed at the
 * same instant, the one with the lower id.
 *
 * <p>A page starts behind the last session of the one before, by its time and id then. So sessions
 * that do not change meanwhile are shown exactly once, and one that does moves to the front.
 *
 * @param sessions the sessions, unmodifiable
 * @param next asks for the next page, or null if this is the last
 */
public record SessionPage(List<SessionInfo> sessions, @Nullable PageRequest next) {

  /** Copies the list. */
  public SessionPage {
    sessions = List.copyOf(sessions);
  }
}
