package dev.stillframe.session.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Runs work in transactions. A transaction that the database gave up in favour of another one
 * (serialization failure, deadlock, a row that both insert, a lock waited for too long) has changed
 * nothing and is run again.
 */
final class Transactions {
  private static final int MAX_ATTEMPTS = 200;
  private static final int MAX_PAUSE_MILLIS = 20;

  private final DataSource dataSource;

  Transactions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** What is done in a transaction; it may be done several times. */
  interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  /** Runs work whose statements each see what is committed as they begin. */
  <T> T write(Work<T> work) {
    return run(Connection.TRANSACTION_READ_COMMITTED, work);
  }

  /** Runs work that only reads, and all of whose statements see one picture. */
  <T> T read(Work<T> work) {
    return run(Connection.TRANSACTION_SERIALIZABLE, work);
  }

  private <T> T run(int isolation, Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(isolation, work);
      } catch (SQLException e) {
        if (attempt == MAX_ATTEMPTS || !mayBeRunAgain(e)) {
          throw new SessionStoreException(
              "A transaction must succeed; attempt " + attempt + " failed: " + e.getMessage(), e);
        }
        pause(attempt);
      }
    }
  }

  private <T> T once(int isolation, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      int usual = connection.getTransactionIsolation();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(isolation);
      boolean done = false;
      try {
        T result = work.in(connection);
        connection.commit();
        done = true;
        return result;
      } finally {
        restore(connection, done, usual, autoCommit);
      }
    }
  }

  /** Leaves the connection as it was found, for a pool; not if it is broken. */
  private static void restore(
      Connection connection, boolean done, int isolation, boolean autoCommit) {
    try {
      if (!done) {
        connection.rollback();
      }
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(autoCommit);
    } catch (SQLException broken) {
      // What went wrong before is what the caller should hear of; if nothing did, all is done.
      // Closing the connection ends the transaction.
    }
  }

  private static boolean mayBeRunAgain(SQLException e) {
    String state = e.getSQLState();
    return state != null
        && (state.startsWith("40") // rolled back: serialization failure or deadlock
            || state.equals("23505") // unique: somebody else has inserted the row meanwhile
            || state.equals("HYT00")); // waited too long for a lock
  }

  /** Lets the other transaction end; a random time, so that two do not meet again and again. */
  private static void pause(int attempt) {
    long most = TimeUnit.MILLISECONDS.toNanos(Math.min(attempt, MAX_PAUSE_MILLIS));
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
  }
}
