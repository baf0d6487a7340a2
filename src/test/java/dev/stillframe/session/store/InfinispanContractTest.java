package dev.stillframe.session.store;

import dev.stillframe.session.Capability;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionServiceContract;
import java.time.Clock;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On Infinispan in this process. */
class InfinispanContractTest extends SessionServiceContract {
  private static DefaultCacheManager manager;
  private SessionService other;

  @BeforeAll
  static void start() {
    manager =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    for (String name : new String[] {"sessions", "shared", "events"}) {
      manager.defineConfiguration(name, new ConfigurationBuilder().build());
    }
  }

  @AfterAll
  static void stop() {
    manager.stop();
  }

  @Override
  protected SessionService open(Clock clock) {
    Cache<String, String> sessions = manager.getCache("sessions");
    Cache<String, String> shared = manager.getCache("shared");
    Cache<String, String> events = manager.getCache("events");
    sessions.clear();
    shared.clear();
    events.clear();
    StoreOptions options = StoreOptions.builder().clock(clock).build();
    other = MapSessions.over(sessions, shared, events, options);
    return MapSessions.over(sessions, shared, events, options);
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
