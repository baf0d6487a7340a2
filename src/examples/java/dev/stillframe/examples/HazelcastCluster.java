package dev.stillframe.examples;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Three members of a Hazelcast cluster in this process, which talk by loopback. */
public final class HazelcastCluster implements AutoCloseable {
  private static final int SIZE = 3;
  private static final String LOOPBACK = "127.0.0.1";

  private final List<HazelcastInstance> members = new ArrayList<>();

  private HazelcastCluster() {}

  public static HazelcastCluster start() {
    System.setProperty("hazelcast.logging.type", "none"); // it logs before it has a configuration
    HazelcastCluster cluster = new HazelcastCluster();
    String name = UUID.randomUUID().toString(); // so that no other cluster is joined
    try {
      for (int i = 0; i < SIZE; i++) {
        cluster.members.add(Hazelcast.newHazelcastInstance(config(name, cluster.members)));
      }
      int found = cluster.members.get(0).getCluster().getMembers().size();
      if (found != SIZE) {
        throw new IllegalStateException(
            "The members of the cluster must find each other; of " + SIZE + " there are " + found);
      }
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static Config config(String name, List<HazelcastInstance> others) {
    Config config = new Config().setClusterName(name);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.partition.count", "31"); // enough for one process
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    for (HazelcastInstance other : others) {
      int port = other.getCluster().getLocalMember().getAddress().getPort();
      join.getTcpIpConfig().addMember(LOOPBACK + ":" + port);
    }
    return config;
  }

  public HazelcastInstance member(int i) {
    return members.get(i);
  }

  /** Returns a map, as the first member sees it. Each entry has a synchronous backup. */
  IMap<String, String> map(String name) {
    return member(0).getMap(name);
  }

  @Override
  public void close() {
    members.forEach(member -> member.getLifecycleService().terminate());
  }
}
