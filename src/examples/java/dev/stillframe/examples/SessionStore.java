package dev.stillframe.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.store.JdbcSessions;
import dev.stillframe.session.store.MapSessions;
import java.util.List;

/** Where the sessions of a replay are: a service, and what has to be stopped with it. */
final class SessionStore implements AutoCloseable {
  static final String MEMORY = "memory";
  private static final String HAZELCAST = "hazelcast";
  private static final String JDBC = "jdbc:";

  private final SessionService service;
  private final Runnable stop;

  private SessionStore(SessionService service, Runnable stop) {
    this.service = service;
    this.stop = stop;
  }

  /** Opens the store of a name, and starts what it needs. */
  static SessionStore open(String name) throws BadInputException, ReplayFailedException {
    if (name.equals(MEMORY)) {
      return new SessionStore(SessionService.inMemory(), () -> {});
    }
    if (name.equals(HAZELCAST)) {
      return inGrid();
    }
    if (name.startsWith(JDBC)) {
      return inDatabase(name);
    }
    throw new BadInputException(
        "A store must be one of "
            + List.of(MEMORY, HAZELCAST, JDBC + "...")
            + ", but is '"
            + name
            + "'");
  }

  private static SessionStore inGrid() throws ReplayFailedException {
    try {
      HazelcastCluster cluster = HazelcastCluster.start();
      return new SessionStore(
          MapSessions.over(cluster.map("sessions"), cluster.map("shared"), cluster.map("events")),
          cluster::close);
    } catch (RuntimeException e) {
      throw new ReplayFailedException("The start of the Hazelcast cluster", e);
    }
  }

  private static SessionStore inDatabase(String url) throws BadInputException {
    HikariDataSource pool = null;
    try {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(url);
      pool = new HikariDataSource(config);
      JdbcSessions.createSchema(pool);
      return new SessionStore(JdbcSessions.over(pool), pool::close);
    } catch (RuntimeException e) { // the drivers' own, too
      if (pool != null) {
        pool.close();
      }
      throw new BadInputException(
          "A database must be there to keep sessions in it, but '"
              + shown(url)
              + "' is not: "
              + cause(e));
    }
  }

  /** Returns a store's name without what may be a password. */
  static String shown(String name) {
    return withoutLogin(name).replaceFirst("[?;].*", "");
  }

  private static String withoutLogin(String text) {
    return text.replaceAll("[^\\s/@]+:[^\\s/@]*@", "");
  }

  private static String cause(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return withoutLogin(String.valueOf(cause)); // drivers show what they were given
  }

  SessionService service() {
    return service;
  }

  /** Tells whether sessions are in this process, so that an append is no message to another. */
  static boolean isInMemory(String name) {
    return name.equals(MEMORY);
  }

  @Override
  public void close() {
    try {
      service.close();
    } finally {
      stop.run();
    }
  }
}
