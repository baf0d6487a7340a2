package dev.stillframe.session.store;

import dev.stillframe.session.AppendResult;
import dev.stillframe.session.EventFilter;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionInfo;
import dev.stillframe.state.StateDelta;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One session as it is stored: not whatever session has the id now. Each operation takes effect at
 * one instant, and throws {@link dev.stillframe.session.SessionNotFoundException} once the session
 * is deleted. Values are texts; keys are checked, and not temporary.
 */
interface StoredSession {
  SessionId id();

  SessionInfo info();

  List<SessionEvent> events(EventFilter filter);

  Picture picture(EventFilter filter);

  /** Returns what the session was created with. */
  StateDelta initial();

  /** Returns the deltas of all events up to one, which has to be there. */
  List<StateDelta> deltasUpTo(String eventId);

  /** Appends an event whose delta has no temporary keys. */
  AppendResult append(SessionEvent event, long expectedVersion);

  @Nullable String read(String key);

  Map<String, String> readAll();

  /**
   * Sets or removes a key if its old value meets a condition.
   *
   * @return the old value
   */
  @Nullable String write(String key, Predicate<@Nullable String> condition, @Nullable String value);

  void apply(Map<String, @Nullable String> changes);

  void clear();

  /** Everything at one instant. */
  record Picture(SessionInfo info, Map<String, String> state, List<SessionEvent> events) {}
}
