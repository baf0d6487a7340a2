package dev.stillframe.session.store;

import dev.stillframe.session.PageRequest;
import dev.stillframe.session.SessionInfo;
import dev.stillframe.session.SessionPage;
import java.util.List;

/** Cuts lists of sessions into pages. */
final class Pages {
  private Pages() {}

  /** Makes a page of the sessions that follow; one more than fits says that there is another. */
  static SessionPage page(List<SessionInfo> following, int size) {
    if (following.size() <= size) {
      return new SessionPage(following, null);
    }
    List<SessionInfo> shown = following.subList(0, size);
    return new SessionPage(shown, new PageRequest(size, shown.get(size - 1)));
  }
}
