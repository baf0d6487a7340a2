package dev.stillframe.session.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables. */
final class JdbcSchema {
  static final List<String> STATEMENTS =
      List.of(
          "CREATE TABLE IF NOT EXISTS stillframe_session ("
              + "uid VARCHAR(36) NOT NULL PRIMARY KEY, "
              + "id_hash VARCHAR(64) NOT NULL UNIQUE, "
              + "app_hash VARCHAR(64) NOT NULL, "
              + "user_hash VARCHAR(64) NOT NULL, "
              + "app_id BYTEA NOT NULL, "
              + "user_id BYTEA NOT NULL, "
              + "session_id BYTEA NOT NULL, "
              + "version BIGINT NOT NULL, "
              + "last_sequence BIGINT NOT NULL, "
              + "event_count INTEGER NOT NULL, "
              + "created_micros BIGINT NOT NULL, "
              + "changed_micros BIGINT NOT NULL, "
              + "initial TEXT NOT NULL)",
          "CREATE INDEX IF NOT EXISTS stillframe_session_of_app"
              + " ON stillframe_session (app_hash, changed_micros)",
          "CREATE INDEX IF NOT EXISTS stillframe_session_of_user"
              + " ON stillframe_session (user_hash, changed_micros)",
          "CREATE TABLE IF NOT EXISTS stillframe_event ("
              + "uid VARCHAR(36) NOT NULL, "
              + "sequence BIGINT NOT NULL, "
              + "event_hash VARCHAR(64) NOT NULL, "
              + "body TEXT NOT NULL, "
              + "shared_before TEXT NOT NULL, "
              + "PRIMARY KEY (uid, sequence), "
              + "UNIQUE (uid, event_hash))",
          "CREATE TABLE IF NOT EXISTS stillframe_state ("
              + "owner VARCHAR(64) NOT NULL, "
              + "key_hash VARCHAR(64) NOT NULL, "
              + "name TEXT NOT NULL, "
              + "content TEXT NOT NULL, "
              + "PRIMARY KEY (owner, key_hash))");

  private JdbcSchema() {}

  static Void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : STATEMENTS) {
        statement.execute(sql);
      }
    }
    return null;
  }
}
