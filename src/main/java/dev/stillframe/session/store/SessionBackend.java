package dev.stillframe.session.store;

import dev.stillframe.session.PageRequest;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionPage;
import dev.stillframe.state.StateDelta;
import org.jspecify.annotations.Nullable;

/** Where sessions are stored. Each operation is as {@code SessionService} says. */
interface SessionBackend {
  StoredSession create(SessionId id, StateDelta initial);

  @Nullable StoredSession find(SessionId id);

  SessionPage list(String app, @Nullable String user, PageRequest page);

  boolean delete(SessionId id);

  StoredSession fork(SessionId id, String upToEvent, SessionId newId);

  int rewind(SessionId id, String toEvent);

  long count();
}
