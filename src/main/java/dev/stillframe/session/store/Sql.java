package dev.stillframe.session.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Short forms of JDBC: a statement with its parameters, and what to make of its rows. */
final class Sql {
  private Sql() {}

  /** Makes something of a row. */
  interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  static <T> List<T> list(Connection c, Row<T> make, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(c, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      List<T> list = new ArrayList<>();
      while (rows.next()) {
        list.add(make.of(rows));
      }
      return list;
    }
  }

  /** Returns what was made of the first row, or null if there is none. */
  static <T> @Nullable T first(Connection c, Row<T> make, String sql, Object... parameters)
      throws SQLException {
    List<T> list = list(c, make, sql, parameters);
    return list.isEmpty() ? null : list.get(0);
  }

  static int update(Connection c, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(c, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  private static PreparedStatement prepare(Connection c, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = c.prepareStatement(sql);
    boolean done = false;
    try {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      done = true;
      return statement;
    } finally {
      if (!done) {
        statement.close();
      }
    }
  }
}
