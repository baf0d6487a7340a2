package dev.stillframe.session.store;

import com.hazelcast.core.HazelcastInstance;
import dev.stillframe.examples.HazelcastCluster;
import dev.stillframe.session.SessionService;
import java.util.List;

/** Sessions in a cluster of Hazelcast. */
final class Cluster implements AutoCloseable {
  private final HazelcastCluster members = HazelcastCluster.start();

  SessionService service(int i, StoreOptions options) {
    HazelcastInstance member = members.member(i);
    return MapSessions.over(
        member.getMap("sessions"), member.getMap("shared"), member.getMap("events"), options);
  }

  HazelcastInstance member(int i) {
    return members.member(i);
  }

  void clear() {
    for (String map : List.of("sessions", "shared", "events")) {
      member(0).getMap(map).clear();
    }
  }

  /** Ends a member as a crash does: it hands nothing over. */
  void kill(int i) {
    member(i).getLifecycleService().terminate();
  }

  @Override
  public void close() {
    members.close();
  }
}
