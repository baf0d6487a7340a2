package dev.stillframe.session.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** The least that a pool can be: closing a connection gives it back, and nobody waits. */
final class PoolOfConnections implements AutoCloseable {
  private final String url;
  private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();

  PoolOfConnections(String url) {
    this.url = url;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (proxy, method, args) -> {
          if (method.getName().equals("getConnection")) {
            return take();
          }
          throw new UnsupportedOperationException(method.getName());
        });
  }

  private Connection take() throws SQLException {
    Connection kept = idle.poll();
    Connection real = kept != null ? kept : DriverManager.getConnection(url);
    return proxy(
        Connection.class,
        (proxy, method, args) -> {
          if (method.getName().equals("close")) {
            idle.add(real);
            return null;
          }
          try {
            return method.invoke(real, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            PoolOfConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection; (connection = idle.poll()) != null; ) {
      connection.close();
    }
  }
}
