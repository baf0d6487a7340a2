package dev.stillframe.session.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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

  private static HikariDataSource pool;
  private SessionService other;

  @BeforeAll
  static void connect() {
    String url = System.getenv(VARIABLE);
    assumeTrue(url != null, "Skipped: " + VARIABLE + " names no PostgreSQL");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(40);
    config.setMinimumIdle(0);
    pool = new HikariDataSource(config);
  }

  @AfterAll
  static void disconnect() {
    if (pool != null) {
      pool.close();
    }
  }

  @Override
  protected SessionService open(Clock clock) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "DROP TABLE IF EXISTS stillframe_session, stillframe_event, stillframe_state");
    }
    JdbcSessions.createSchema(pool);
    StoreOptions options = StoreOptions.builder().clock(clock).build();
    other = JdbcSessions.over(pool, options);
    return JdbcSessions.over(pool, options);
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
