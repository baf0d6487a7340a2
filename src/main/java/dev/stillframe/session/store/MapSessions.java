package dev.stillframe.session.store;

import dev.stillframe.session.SessionService;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;

/**
 * Sessions in maps that the caller brings, such as those of a data grid: any number of services, in
 * any number of processes, share what is in them. It is tested with {@code ConcurrentHashMap}, a
 * cluster of Hazelcast, Infinispan in one process, and Redis through Redisson (with its {@code
 * StringCodec}).
 *
 * <pre>{@code
 * SessionService sessions =
 *     MapSessions.over(
 *         hazelcast.getMap("sessions"), hazelcast.getMap("shared"), hazelcast.getMap("events"));
 * }</pre>
 *
 * <p><b>What the maps must do.</b> {@code get}, {@code putIfAbsent}, {@code replace(key, old,
 * new)}, {@code remove(key)} and {@code remove(key, old)} are atomic for one key, texts are
 * compared by their content, and whoever reads sees what was written last, by whomever: no near
 * cache, no reads from backups, no eviction, no time to live. Nothing else is used, but {@code
 * size} to count and the iterator to list, which is as consistent as the engine makes it.
 *
 * <p><b>Guarantees.</b> On such a map, all that {@link SessionService} and {@link
 * dev.stillframe.session.Session} say: also that an append, and {@code apply} of a state, take
 * effect at one instant over the keys of all scopes, and that a snapshot is of one instant. Except
 * that
 *
 * <ul>
 *   <li>values travel as JSON, see {@link dev.stillframe.json.Json}, and are compared by it;
 *   <li>{@code clear} of a state empties one scope after the other, and the commit of a draft
 *       writes one key after the other, as {@link dev.stillframe.state.SessionState#over} does;
 *   <li>a list looks at all sessions in the map, one after the other;
 *   <li>there are no limits on age, number and size of sessions.
 * </ul>
 *
 * <p><b>What becomes the engine's.</b> Whether what a map acknowledged survives a member that
 * fails: give the maps a synchronous backup. If an operation throws, the map may have done it or
 * not; an append that threw can be repeated in any case, since its event is stored once. If the
 * engine repeats an operation by itself while a member fails, a direct write of one key through
 * {@code state()} may be taken for one that lost a race, and an {@code update} run twice; appended
 * events and {@code apply} over several scopes are applied once. A partitioned cluster that goes on
 * in both halves breaks all promises.
 *
 * <p><b>Entries.</b> Nothing grows with the history but the number of entries: an append writes an
 * entry for the event and one that finds it by its id, and replaces the session's head, which holds
 * its own keys. The {@code user:} keys of a user are one entry, and so are the {@code app:} keys of
 * an app, so that a write to one of them rewrites all of them. Events that were rewound stay until
 * the session is deleted. A member that fails within a create, a fork or a delete may leave entries
 * in {@code events} that nobody reads.
 */
public final class MapSessions {
  private MapSessions() {}

  /**
   * Opens a service with the default options. Closing it leaves the maps as they are.
   *
   * @param sessions holds an entry for each session
   * @param shared holds an entry for each app and each user that has keys
   * @param events holds an entry for each event, and one for each event's id
   * @return a new service
   */
  public static SessionService over(
      ConcurrentMap<String, String> sessions,
      ConcurrentMap<String, String> shared,
      ConcurrentMap<String, String> events) {
    return over(sessions, shared, events, StoreOptions.builder().build());
  }

  /**
   * Opens a service. Closing it leaves the maps as they are.
   *
   * @param sessions holds an entry for each session
   * @param shared holds an entry for each app and each user that has keys
   * @param events holds an entry for each event, and one for each event's id
   * @param options the clock, and how values look
   * @return a new service
   */
  public static SessionService over(
      ConcurrentMap<String, String> sessions,
      ConcurrentMap<String, String> shared,
      ConcurrentMap<String, String> events,
      StoreOptions options) {
    Texts texts = new Texts(options.json);
    MapLog log =
        new MapLog(
            Objects.requireNonNull(sessions, "sessions"),
            Objects.requireNonNull(shared, "shared"),
            Objects.requireNonNull(events, "events"),
            texts);
    return new StoredSessionService(new MapBackend(log, texts, options.clock), texts);
  }
}
