package dev.stillframe.session.store;

import dev.stillframe.session.AppendResult;
import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.session.EventFilter;
import dev.stillframe.session.SessionConflictException;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionEventNotFoundException;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionInfo;
import dev.stillframe.session.SessionNotFoundException;
import dev.stillframe.state.StateDelta;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A session in a database. Who changes it, or a key that it shows, first locks its row: so a
 * deleted session is not written to, and its events are numbered one after the other.
 */
final class JdbcSession implements StoredSession {
  private static final String COLUMNS =
      "version, last_sequence, event_count, created_micros, changed_micros";

  private final Transactions transactions;
  private final Texts texts;
  private final Clock clock;
  private final SessionId id;
  final String uid;
  final JdbcState state;

  JdbcSession(Transactions transactions, Texts texts, Clock clock, SessionId id, String uid) {
    this.transactions = transactions;
    this.texts = texts;
    this.clock = clock;
    this.id = id;
    this.uid = uid;
    state = new JdbcState(texts, id, uid);
  }

  /** A row of the session's table. */
  record Head(long version, long lastSequence, int eventCount, long created, long changed) {
    static Head of(ResultSet row) throws SQLException {
      return new Head(
          row.getLong(1), row.getLong(2), row.getInt(3), row.getLong(4), row.getLong(5));
    }

    SessionInfo info(SessionId id) {
      return new SessionInfo(
          id, version, eventCount, Micros.instant(created), Micros.instant(changed));
    }
  }

  @Override
  public SessionId id() {
    return id;
  }

  private <T> T require(@Nullable T found) {
    if (found == null) {
      throw new SessionNotFoundException(id);
    }
    return found;
  }

  private Head head(Connection c, boolean locked) throws SQLException {
    return require(
        Sql.first(
            c,
            Head::of,
            "SELECT "
                + COLUMNS
                + " FROM stillframe_session WHERE uid = ?"
                + (locked ? " FOR UPDATE" : ""),
            uid));
  }

  Head lock(Connection c) throws SQLException {
    return head(c, /* locked= */ true);
  }

  /** Saves what an append or a rewind made of a session. Its time does not go back. */
  private void save(Connection c, Head before, long lastSequence, int eventCount, long now)
      throws SQLException {
    Sql.update(
        c,
        "UPDATE stillframe_session SET version = ?, last_sequence = ?, event_count = ?,"
            + " changed_micros = ? WHERE uid = ?",
        before.version() + 1,
        lastSequence,
        eventCount,
        Math.max(before.changed(), now),
        uid);
  }

  @Override
  public SessionInfo info() {
    return transactions.write(c -> head(c, /* locked= */ false)).info(id);
  }

  @Override
  public List<SessionEvent> events(EventFilter filter) {
    return transactions.write(
        c -> {
          List<SessionEvent> events = events(c, filter);
          head(c, /* locked= */ false); // afterwards: it must not look like an empty one
          return events;
        });
  }

  private List<SessionEvent> events(Connection c, EventFilter filter) throws SQLException {
    String sql = "SELECT sequence, body FROM stillframe_event WHERE uid = ? ORDER BY sequence DESC";
    List<SessionEvent> events;
    if (filter.notBefore() == null && filter.newest() < Integer.MAX_VALUE) {
      events = Sql.list(c, this::event, sql + " LIMIT ?", uid, filter.newest());
    } else {
      events = Sql.list(c, this::event, sql, uid);
      events.removeIf(event -> !filter.admits(event));
      events = events.subList(0, Math.min(filter.newest(), events.size()));
    }
    List<SessionEvent> inOrder = new ArrayList<>(events);
    Collections.reverse(inOrder);
    return Collections.unmodifiableList(inOrder);
  }

  private SessionEvent event(ResultSet row) throws SQLException {
    Map<String, @Nullable Object> body = texts.readMap(row.getString(2));
    return texts.event(body, delta(body), row.getLong(1));
  }

  @SuppressWarnings("unchecked") // as append wrote it
  private static Map<String, @Nullable String> delta(Map<String, @Nullable Object> body) {
    return (Map<String, @Nullable String>) Objects.requireNonNull(body.get("delta"));
  }

  @Override
  public Picture picture(EventFilter filter) {
    return transactions.read(
        c ->
            new Picture(
                head(c, /* locked= */ false).info(id),
                require(state.readAll(c)),
                events(c, filter)));
  }

  @Override
  public StateDelta initial() {
    return transactions.write(this::initial);
  }

  StateDelta initial(Connection c) throws SQLException {
    return texts.delta(
        textMap(
            require(
                Sql.first(
                    c,
                    row -> row.getString(1),
                    "SELECT initial FROM stillframe_session WHERE uid = ?",
                    uid))));
  }

  /** Reads a map of texts as {@link Texts#write} has written it. */
  @SuppressWarnings("unchecked")
  Map<String, @Nullable String> textMap(String text) {
    return (Map<String, @Nullable String>) (Map<String, ?>) texts.readMap(text);
  }

  @Override
  public List<StateDelta> deltasUpTo(String eventId) {
    return transactions.read(
        c -> {
          head(c, /* locked= */ false);
          return deltas(c, sequence(c, eventId));
        });
  }

  /** Returns the sequence number of an event that has to be there. */
  long sequence(Connection c, String eventId) throws SQLException {
    Long sequence =
        Sql.first(
            c,
            row -> row.getLong(1),
            "SELECT sequence FROM stillframe_event WHERE uid = ? AND event_hash = ?",
            uid,
            Hashes.of(eventId));
    if (sequence == null) {
      throw new SessionEventNotFoundException(id, eventId);
    }
    return sequence;
  }

  List<StateDelta> deltas(Connection c, long upTo) throws SQLException {
    return Sql.list(
        c,
        row -> event(row).delta(),
        "SELECT sequence, body FROM stillframe_event WHERE uid = ? AND sequence <= ?"
            + " ORDER BY sequence",
        uid,
        upTo);
  }

  /** Returns what the events after one changed. */
  List<RewindPlan.Change> changesAfter(Connection c, long sequence) throws SQLException {
    return Sql.list(
        c,
        row ->
            new RewindPlan.Change(
                delta(texts.readMap(row.getString(2))), textMap(row.getString(3))),
        "SELECT sequence, body, shared_before FROM stillframe_event"
            + " WHERE uid = ? AND sequence > ? ORDER BY sequence",
        uid,
        sequence);
  }

  @Override
  public AppendResult append(SessionEvent event, long expectedVersion) {
    String hash = Hashes.of(event.id());
    Map<String, @Nullable String> changes = texts.texts(event.delta());
    Map<String, @Nullable Object> map = texts.eventMap(event);
    map.put("delta", changes);
    String body = texts.write(map);
    long now = Micros.of(clock.instant());
    return transactions.write(
        c -> {
          Head head = lock(c);
          SessionEvent there =
              Sql.first(
                  c,
                  this::event,
                  "SELECT sequence, body FROM stillframe_event WHERE uid = ? AND event_hash = ?",
                  uid,
                  hash);
          if (there != null) {
            return new AppendResult(Outcome.DUPLICATE, there, head.version());
          }
          if (expectedVersion >= 0 && expectedVersion != head.version()) {
            throw new SessionConflictException(id, expectedVersion, head.version());
          }
          long sequence = head.lastSequence() + 1;
          Map<String, @Nullable String> before = state.write(c, changes);
          Sql.update(
              c,
              "INSERT INTO stillframe_event (uid, sequence, event_hash, body, shared_before)"
                  + " VALUES (?, ?, ?, ?, ?)",
              uid,
              sequence,
              hash,
              body,
              texts.write(before));
          save(c, head, sequence, head.eventCount() + 1, now);
          return new AppendResult(
              Outcome.APPENDED, event.stored(event.delta(), sequence), head.version() + 1);
        });
  }

  int rewind(String toEvent) {
    long now = Micros.of(clock.instant());
    return transactions.write(
        c -> {
          Head head = lock(c);
          long target = sequence(c, toEvent);
          List<RewindPlan.Change> undone = changesAfter(c, target);
          if (undone.isEmpty()) {
            return 0;
          }
          List<Map<String, @Nullable String>> kept = new ArrayList<>();
          kept.add(texts.texts(initial(c)));
          deltas(c, target).forEach(delta -> kept.add(texts.texts(delta)));
          RewindPlan plan = new RewindPlan(kept, undone);
          state.write(c, toRestore(c, plan));
          Sql.update(c, "DELETE FROM stillframe_event WHERE uid = ? AND sequence > ?", uid, target);
          save(c, head, head.lastSequence(), head.eventCount() - undone.size(), now);
          return undone.size();
        });
  }

  /** Locks the shared keys as it looks at them, in the order in which they are written. */
  private Map<String, @Nullable String> toRestore(Connection c, RewindPlan plan)
      throws SQLException {
    Map<String, @Nullable String> restored = new LinkedHashMap<>(plan.own);
    for (String key : state.inLockOrder(plan.shared.keySet())) {
      RewindPlan.Restore restore = Objects.requireNonNull(plan.shared.get(key));
      if (restore.appliesTo(state.read(c, key, /* locked= */ true))) {
        restored.put(key, restore.value());
      }
    }
    return restored;
  }

  @Override
  public @Nullable String read(String key) {
    return transactions
        .write(
            c -> {
              Value value = new Value(state.read(c, key, /* locked= */ false));
              head(c, /* locked= */ false); // afterwards: it must not look like an empty one
              return value;
            })
        .text();
  }

  /** What a key holds. */
  private record Value(@Nullable String text) {}

  @Override
  public Map<String, String> readAll() {
    return require(transactions.write(c -> new All(state.readAll(c))).keys());
  }

  /** What all keys hold, if the session is there. */
  private record All(@Nullable Map<String, String> keys) {}

  @Override
  public @Nullable String write(
      String key, Predicate<@Nullable String> condition, @Nullable String value) {
    return transactions
        .write(
            c -> {
              lock(c);
              Value old = new Value(state.read(c, key, /* locked= */ true));
              if (condition.test(old.text())) {
                state.put(c, key, value);
              }
              return old;
            })
        .text();
  }

  @Override
  public void apply(Map<String, @Nullable String> changes) {
    transactions.write(
        c -> {
          lock(c);
          return state.write(c, changes);
        });
  }

  @Override
  public void clear() {
    transactions.write(
        c -> {
          Head head = lock(c);
          state.clear(c);
          return head;
        });
  }
}
