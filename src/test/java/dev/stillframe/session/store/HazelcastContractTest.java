package dev.stillframe.session.store;

import dev.stillframe.session.Capability;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionServiceContract;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Through two members of three. */
class HazelcastContractTest extends SessionServiceContract {
  private static Cluster cluster;
  private SessionService other;

  @BeforeAll
  static void start() {
    cluster = new Cluster();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  protected SessionService open(Clock clock) {
    cluster.clear();
    StoreOptions options = StoreOptions.builder().clock(clock).build();
    other = cluster.service(1, options);
    return cluster.service(0, options);
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
