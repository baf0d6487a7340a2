package dev.stillframe.session.store;

import dev.stillframe.session.Capability;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionServiceContract;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

class MapContractTest extends SessionServiceContract {
  private SessionService other;

  @Override
  protected SessionService open(Clock clock) {
    ConcurrentMap<String, String> sessions = new ConcurrentHashMap<>();
    ConcurrentMap<String, String> shared = new ConcurrentHashMap<>();
    ConcurrentMap<String, String> events = new ConcurrentHashMap<>();
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
