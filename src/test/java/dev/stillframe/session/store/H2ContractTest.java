package dev.stillframe.session.store;

import dev.stillframe.session.Capability;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionServiceContract;
import java.time.Clock;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

class H2ContractTest extends SessionServiceContract {
  private JdbcConnectionPool pool;
  private SessionService other;

  @Override
  protected SessionService open(Clock clock) {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    pool.setMaxConnections(40);
    DataSource dataSource = pool;
    JdbcSessions.createSchema(dataSource);
    JdbcSessions.createSchema(dataSource);
    other = JdbcSessions.over(dataSource, StoreOptions.builder().clock(clock).build());
    return JdbcSessions.over(dataSource, StoreOptions.builder().clock(clock).build());
  }

  @Override
  public SessionService fresh() {
    return other;
  }

  @Override
  public boolean can(Capability capability) {
    return capability != Capability.KEEPS_ANY_OBJECT;
  }

  @AfterEach
  void closePool() {
    pool.dispose();
  }
}
