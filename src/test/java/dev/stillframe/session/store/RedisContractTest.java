package dev.stillframe.session.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stillframe.session.Capability;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionServiceContract;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.redisson.Redisson;
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** On the Redis that the variable names, through two clients; the maps of the test are emptied. */
class RedisContractTest extends SessionServiceContract {
  private static final String VARIABLE = "STILLFRAME_TEST_REDIS";

  private static RedissonClient client;
  private static RedissonClient otherClient;
  private SessionService other;

  @BeforeAll
  static void connect() {
    String url = System.getenv(VARIABLE);
    assumeTrue(url != null, "Skipped: " + VARIABLE + " names no Redis");
    client = client(url);
    otherClient = client(url);
  }

  private static RedissonClient client(String url) {
    Config config = new Config();
    config.useSingleServer().setAddress(url);
    return Redisson.create(config);
  }

  @AfterAll
  static void disconnect() {
    if (client != null) {
      client.shutdown();
      otherClient.shutdown();
    }
  }

  private static RMap<String, String> map(RedissonClient of, String name) {
    return of.getMap("stillframe-test-" + name, StringCodec.INSTANCE);
  }

  @Override
  protected SessionService open(Clock clock) {
    for (String name : new String[] {"sessions", "shared", "events"}) {
      map(client, name).clear();
    }
    StoreOptions options = StoreOptions.builder().clock(clock).build();
    other = service(otherClient, options);
    return service(client, options);
  }

  private static SessionService service(RedissonClient of, StoreOptions options) {
    return MapSessions.over(map(of, "sessions"), map(of, "shared"), map(of, "events"), options);
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
