package dev.stillframe.session.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stillframe.session.Capability;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionServiceContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the PostgreSQL that the variable names; its tables of ours are dropped. */
class PostgresContractTest extends SessionServiceContract {
  private static final String VARIABLE = "STILLFRAME_TEST_POSTGRES";

  private static PoolOfConnections pool;
  private SessionService other;

  @BeforeAll
  static void connect() {
    String url = System.getenv(VARIABLE);
    assumeTrue(url != null, "Skipped: " + VARIABLE + " names no PostgreSQL");
    pool = new PoolOfConnections(url);
  }

  @AfterAll
  static void disconnect() throws SQLException {
    if (pool != null) {
      pool.close();
    }
  }

  @Override
  protected SessionService open(Clock clock) throws SQLException {
    try (Connection connection = pool.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "DROP TABLE IF EXISTS stillframe_session, stillframe_event, stillframe_state");
    }
    JdbcSessions.createSchema(pool.dataSource());
    StoreOptions options = StoreOptions.builder().clock(clock).build();
    other = JdbcSessions.over(pool.dataSource(), options);
    return JdbcSessions.over(pool.dataSource(), options);
  }

  @Override
  public SessionService fresh() {
    return other;
  }

  @Override
  public boolean can(Capability capability) {
    return capability != Capability.KEEPS_ANY_OBJECT;
  }
}
