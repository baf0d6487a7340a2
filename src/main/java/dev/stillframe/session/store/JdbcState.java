package dev.stillframe.session.store;

import dev.stillframe.session.SessionId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a session shows, in their table. Who writes holds the lock of the session's row.
 * Rows of keys that sessions share are locked in one order, so that two writers do not wait for
 * each other; a row that two insert at once makes one of them start over.
 */
final class JdbcState {
  private final Texts texts;
  private final String uid;
  private final String appHash;
  private final String userHash;

  JdbcState(Texts texts, SessionId id, String uid) {
    this.texts = texts;
    this.uid = uid;
    appHash = Hashes.of(id.app());
    userHash = Hashes.of(id.app(), id.user());
  }

  private String owner(String key) {
    return switch (Scope.of(key)) {
      case APP -> appHash;
      case USER -> userHash;
      default -> uid;
    };
  }

  @Nullable String read(Connection c, String key, boolean locked) throws SQLException {
    return Sql.first(
        c,
        row -> row.getString(1),
        "SELECT content FROM stillframe_state WHERE owner = ? AND key_hash = ?"
            + (locked ? " FOR UPDATE" : ""),
        owner(key),
        Hashes.of(key));
  }

  /** Returns nothing if the session is not there, which one statement finds out with the rest. */
  @Nullable Map<String, String> readAll(Connection c) throws SQLException {
    Map<String, String> all = new LinkedHashMap<>();
    List<Boolean> rows =
        Sql.list(
            c,
            row -> {
              String name = row.getString(1);
              if (name != null) {
                all.put((String) texts.read(name), row.getString(2));
              }
              return true;
            },
            "SELECT k.name, k.content FROM stillframe_session s LEFT JOIN stillframe_state k"
                + " ON k.owner IN (?, ?, ?) WHERE s.uid = ?",
            uid,
            userHash,
            appHash,
            uid);
    return rows.isEmpty() ? null : all;
  }

  /** Returns keys in the order in which their rows are to be locked: any, but always the same. */
  List<String> inLockOrder(Set<String> keys) {
    List<String> sorted = new ArrayList<>(keys);
    sorted.sort(Comparator.comparing(this::owner).thenComparing(Comparator.naturalOrder()));
    return sorted;
  }

  /** Changes keys, and returns what the shared ones among them held before; null: absent. */
  Map<String, @Nullable String> write(Connection c, Map<String, @Nullable String> changes)
      throws SQLException {
    Map<String, @Nullable String> before = new LinkedHashMap<>();
    for (String key : inLockOrder(changes.keySet())) {
      if (Scope.of(key).isShared()) {
        before.put(key, read(c, key, /* locked= */ true));
      }
      put(c, key, changes.get(key));
    }
    return before;
  }

  /** Sets a key, or removes it if the value is null. */
  void put(Connection c, String key, @Nullable String value) throws SQLException {
    String owner = owner(key);
    String hash = Hashes.of(key);
    if (value == null) {
      Sql.update(c, "DELETE FROM stillframe_state WHERE owner = ? AND key_hash = ?", owner, hash);
      return;
    }
    int updated =
        Sql.update(
            c,
            "UPDATE stillframe_state SET content = ? WHERE owner = ? AND key_hash = ?",
            value,
            owner,
            hash);
    if (updated == 0) {
      Sql.update(
          c,
          "INSERT INTO stillframe_state (owner, key_hash, name, content) VALUES (?, ?, ?, ?)",
          owner,
          hash,
          texts.write(key),
          value);
    }
  }

  void clear(Connection c) throws SQLException {
    Sql.update(c, "DELETE FROM stillframe_state WHERE owner IN (?, ?, ?)", uid, userHash, appHash);
  }

  void deleteOwn(Connection c) throws SQLException {
    Sql.update(c, "DELETE FROM stillframe_state WHERE owner = ?", uid);
  }
}
