package dev.stillframe.session.store;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import dev.stillframe.session.SessionService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A cluster of Hazelcast: three members in this process, on loopback. */
final class Cluster implements AutoCloseable {
  private static final int SIZE = 3;

  private final List<HazelcastInstance> members = new ArrayList<>();

  Cluster() throws IOException {
    List<Integer> ports = freePorts();
    String name = UUID.randomUUID().toString();
    for (int port : ports) {
      members.add(Hazelcast.newHazelcastInstance(config(name, port, ports)));
    }
    if (member(0).getCluster().getMembers().size() != SIZE) {
      throw new IllegalStateException("The members did not find each other");
    }
  }

  private static List<Integer> freePorts() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      ports.add(socket.getLocalPort());
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ports;
  }

  private static Config config(String name, int port, List<Integer> ports) {
    Config config = new Config().setClusterName(name);
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.partition.count", "31");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    ports.forEach(other -> join.getTcpIpConfig().addMember("127.0.0.1:" + other));
    return config;
  }

  HazelcastInstance member(int i) {
    return members.get(i);
  }

  SessionService service(int i, StoreOptions options) {
    HazelcastInstance member = member(i);
    return MapSessions.over(
        member.getMap("sessions"), member.getMap("shared"), member.getMap("events"), options);
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
    members.forEach(member -> member.getLifecycleService().terminate());
  }
}
