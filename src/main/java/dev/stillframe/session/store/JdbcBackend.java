package dev.stillframe.session.store;

import dev.stillframe.session.PageRequest;
import dev.stillframe.session.SessionAlreadyExistsException;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionInfo;
import dev.stillframe.session.SessionNotFoundException;
import dev.stillframe.session.SessionPage;
import dev.stillframe.state.StateDelta;
import java.nio.charset.Charset;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The sessions in a database. */
final class JdbcBackend implements SessionBackend {
  /** Sorts as UTF-16 does, and so as ids do; otherwise it is UTF-8. */
  private static final Charset ID_BYTES = Charset.forName("CESU-8");

  private final Transactions transactions;
  private final Texts texts;
  private final Clock clock;

  JdbcBackend(Transactions transactions, Texts texts, Clock clock) {
    this.transactions = transactions;
    this.texts = texts;
    this.clock = clock;
  }

  private static String idHash(SessionId id) {
    return Hashes.of(id.app(), id.user(), id.session());
  }

  private JdbcSession session(SessionId id, String uid) {
    return new JdbcSession(transactions, texts, clock, id, uid);
  }

  private @Nullable JdbcSession find(Connection c, SessionId id) throws SQLException {
    String uid =
        Sql.first(
            c,
            row -> row.getString(1),
            "SELECT uid FROM stillframe_session WHERE id_hash = ?",
            idHash(id));
    return uid == null ? null : session(id, uid);
  }

  @Override
  public @Nullable StoredSession find(SessionId id) {
    return transactions.write(c -> new Found(find(c, id))).session();
  }

  /** What was looked for. */
  private record Found(@Nullable JdbcSession session) {}

  private JdbcSession required(SessionId id) {
    JdbcSession session = transactions.write(c -> new Found(find(c, id))).session();
    if (session == null) {
      throw new SessionNotFoundException(id);
    }
    return session;
  }

  @Override
  public StoredSession create(SessionId id, StateDelta initial) {
    Map<String, @Nullable String> changes = texts.texts(initial);
    String initialText = texts.write(changes);
    long now = Micros.of(clock.instant());
    return transactions.write(
        c -> {
          JdbcSession session =
              insert(c, id, /* lastSequence= */ 0, /* events= */ 0, initialText, now);
          session.state.write(c, changes);
          return session;
        });
  }

  /**
   * Inserts a row. If somebody else has inserted one for the id meanwhile, the transaction is run
   * again, and finds it.
   */
  private JdbcSession insert(
      Connection c, SessionId id, long lastSequence, int events, String initial, long now)
      throws SQLException {
    if (find(c, id) != null) {
      throw new SessionAlreadyExistsException(id);
    }
    JdbcSession session = session(id, UUID.randomUUID().toString());
    Sql.update(
        c,
        "INSERT INTO stillframe_session (uid, id_hash, app_hash, user_hash, app_id, user_id,"
            + " session_id, version, last_sequence, event_count, created_micros, changed_micros,"
            + " initial) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)",
        session.uid,
        idHash(id),
        Hashes.of(id.app()),
        Hashes.of(id.app(), id.user()),
        id.app().getBytes(ID_BYTES),
        id.user().getBytes(ID_BYTES),
        id.session().getBytes(ID_BYTES),
        lastSequence,
        events,
        now,
        now,
        initial);
    return session;
  }

  /** The app or the user is given by a hash; in either case what is left of the id orders. */
  @Override
  public SessionPage list(String app, @Nullable String user, PageRequest page) {
    List<Object> parameters = new ArrayList<>();
    parameters.add(user == null ? Hashes.of(app) : Hashes.of(app, user));
    SessionInfo after = page.after();
    if (after != null) {
      long changed = Micros.of(after.lastChanged());
      parameters.addAll(
          List.of(
              changed,
              changed,
              after.id().user().getBytes(ID_BYTES),
              after.id().session().getBytes(ID_BYTES)));
    }
    parameters.add(page.size() + 1L);
    String sql =
        "SELECT version, last_sequence, event_count, created_micros, changed_micros,"
            + " app_id, user_id, session_id FROM stillframe_session WHERE "
            + (user == null ? "app_hash" : "user_hash")
            + " = ?"
            + (after == null
                ? ""
                : " AND (changed_micros < ?"
                    + " OR (changed_micros = ? AND (user_id, session_id) > (?, ?)))")
            + " ORDER BY changed_micros DESC, user_id, session_id LIMIT ?";
    List<SessionInfo> found =
        transactions.write(
            c ->
                Sql.list(
                    c,
                    row ->
                        JdbcSession.Head.of(row)
                            .info(
                                new SessionId(
                                    new String(row.getBytes(6), ID_BYTES),
                                    new String(row.getBytes(7), ID_BYTES),
                                    new String(row.getBytes(8), ID_BYTES))),
                    sql,
                    parameters.toArray()));
    return Pages.page(found, page.size());
  }

  @Override
  public boolean delete(SessionId id) {
    return transactions.write(
        c -> {
          JdbcSession session = find(c, id);
          if (session == null
              || Sql.update(c, "DELETE FROM stillframe_session WHERE uid = ?", session.uid) == 0) {
            return false;
          }
          Sql.update(c, "DELETE FROM stillframe_event WHERE uid = ?", session.uid);
          session.state.deleteOwn(c);
          return true;
        });
  }

  @Override
  public StoredSession fork(SessionId id, String upToEvent, SessionId newId) {
    JdbcSession from = required(id);
    long now = Micros.of(clock.instant());
    return transactions.write(
        c -> {
          from.lock(c);
          long last = from.sequence(c, upToEvent);
          StateDelta initial = from.initial(c);
          List<StateDelta> deltas = from.deltas(c, last);
          JdbcSession fork =
              insert(c, newId, last, deltas.size(), texts.write(texts.texts(initial)), now);
          Sql.update(
              c,
              "INSERT INTO stillframe_event (uid, sequence, event_hash, body, shared_before)"
                  + " SELECT CAST(? AS VARCHAR(36)), sequence, event_hash, body, shared_before"
                  + " FROM stillframe_event WHERE uid = ? AND sequence <= ?",
              fork.uid,
              from.uid,
              last);
          Map<String, Object> own =
              Scope.only(Texts.fold(initial, deltas).asMap(), scope -> scope == Scope.OWN);
          fork.state.write(c, texts.texts(StateDelta.fromMap(own)));
          return fork;
        });
  }

  @Override
  public int rewind(SessionId id, String toEvent) {
    return required(id).rewind(toEvent);
  }

  @Override
  public long count() {
    return transactions.write(
        c -> Sql.list(c, row -> row.getLong(1), "SELECT COUNT(*) FROM stillframe_session").get(0));
  }
}
