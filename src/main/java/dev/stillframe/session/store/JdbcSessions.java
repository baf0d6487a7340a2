package dev.stillframe.session.store;

import dev.stillframe.session.SessionService;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Sessions in a database: any number of services, in any number of processes, share what is in it.
 * It is plain JDBC, tested with H2 and PostgreSQL.
 *
 * <pre>{@code
 * JdbcSessions.createSchema(dataSource);
 * SessionService sessions = JdbcSessions.over(dataSource);
 * }</pre>
 *
 * <p><b>Guarantees.</b> All that {@link SessionService} and {@link dev.stillframe.session.Session}
 * say, except that
 *
 * <ul>
 *   <li>values travel as JSON, see {@link dev.stillframe.json.Json}, and are compared by it;
 *   <li>a draft of a state reads its base at one instant, but its commit writes one key after the
 *       other, in key order, as {@link dev.stillframe.state.SessionState#over} does;
 *   <li>every read and every write goes to the database, and waits for it; a write waits for other
 *       writes to the same session and to the same shared keys. No lock outlives a call;
 *   <li>there are no limits on age, number and size of sessions.
 * </ul>
 *
 * <p>An append, a rewind, a delete, a fork and {@code apply} are one transaction each (read
 * committed, under a lock of the session's row). A transaction that the database gave up for
 * another one is run again. Other failures are a {@link SessionStoreException}. If a connection
 * breaks while a transaction is being committed, the caller cannot know what became of it; an event
 * can be appended again in any case, since its id is stored once.
 *
 * <p><b>Tables.</b> {@link #schema()} lists the statements that create them.
 *
 * <ul>
 *   <li>{@code stillframe_session}: a row a session. {@code uid} is never used again; {@code
 *       id_hash}, {@code app_hash} and {@code user_hash} are SHA-256 hashes of the id and its
 *       parts, since ids may be too long for an index; the parts themselves are bytes in CESU-8
 *       (UTF-8 unless there are characters above U+FFFF), which sort as ids do and may hold any
 *       character. Times are microseconds since 1970. {@code initial} is what it was created with.
 *   <li>{@code stillframe_event}: a row an event, written once.
 *   <li>{@code stillframe_state}: a row a key. The owner is a session's {@code uid}, an {@code
 *       app_hash} or a {@code user_hash}; the name is a JSON text.
 * </ul>
 */
public final class JdbcSessions {
  private JdbcSessions() {}

  /**
   * Opens a service with the default options. Closing it leaves the data source open.
   *
   * @param dataSource gives connections; a pool saves time
   * @return a new service
   */
  public static SessionService over(DataSource dataSource) {
    return over(dataSource, StoreOptions.builder().build());
  }

  /**
   * Opens a service. Closing it leaves the data source open.
   *
   * @param dataSource gives connections; a pool saves time
   * @param options the clock, and how values look
   * @return a new service
   */
  public static SessionService over(DataSource dataSource, StoreOptions options) {
    Texts texts = new Texts(options.json);
    return new StoredSessionService(
        new JdbcBackend(
            new Transactions(Objects.requireNonNull(dataSource, "dataSource")),
            texts,
            options.clock),
        texts);
  }

  /**
   * Creates the tables that are not there yet.
   *
   * @param dataSource gives a connection
   * @throws SessionStoreException if the database refuses
   */
  public static void createSchema(DataSource dataSource) {
    new Transactions(Objects.requireNonNull(dataSource, "dataSource")).write(JdbcSchema::create);
  }

  /**
   * Lists the statements of {@link #createSchema}, for who creates tables in another way.
   *
   * @return statements in SQL
   */
  public static List<String> schema() {
    return JdbcSchema.STATEMENTS;
  }
}
