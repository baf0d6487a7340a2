package dev.stillframe.session.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionSnapshot;
import dev.stillframe.state.StateDelta;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

/**
 * The store fails at each place of an append in turn, before it does what it was asked, or after:
 * so the event and its changes are there, or neither; and to append again makes it be there once.
 */
class FailedAppendTest {
  /** A store that can be told to fail. */
  private static final class Faults {
    private int callsUntilFailure;
    private boolean afterwards;
    private boolean failed;

    void arm(int call, boolean afterTheCall) {
      callsUntilFailure = call;
      afterwards = afterTheCall;
      failed = false;
    }

    /** Runs a call of the store, or fails. */
    Object call(Callable<Object> call, Exception failure) throws Exception {
      boolean fails = callsUntilFailure > 0 && --callsUntilFailure == 0;
      failed |= fails;
      if (fails && !afterwards) {
        throw failure;
      }
      Object result = call.call();
      if (fails) {
        throw failure;
      }
      return result;
    }
  }

  private static <T> T failing(Class<T> type, Object real, Faults faults, String... methods) {
    return type.cast(
        Proxy.newProxyInstance(
            FailedAppendTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              boolean mayFail = List.of(methods).contains(method.getName());
              try {
                Object result =
                    mayFail
                        ? faults.call(() -> method.invoke(real, args), failure(type))
                        : method.invoke(real, args);
                return result instanceof Connection
                    ? failing(Connection.class, result, faults, "commit", "prepareStatement")
                    : result instanceof PreparedStatement
                        ? failing(
                            PreparedStatement.class,
                            result,
                            faults,
                            "executeQuery",
                            "executeUpdate")
                        : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static Exception failure(Class<?> type) {
    return type == ConcurrentMap.class
        ? new IllegalStateException("broken on purpose")
        : new SQLException("broken on purpose");
  }

  private static SessionEvent event() {
    return SessionEvent.builder("agent")
        .id("e1")
        .content("hello")
        .delta(StateDelta.builder().set("k", 1).set("user:u", 2).set("temp:t", 3).build())
        .build();
  }

  @Test
  void inMaps() {
    Faults faults = new Faults();
    String[] all = {"get", "putIfAbsent", "replace", "put", "remove"};
    requireAllOrNothing(
        faults, () -> MapSessions.over(map(faults, all), map(faults, all), map(faults, all)));
  }

  @SuppressWarnings("unchecked")
  private static ConcurrentMap<String, String> map(Faults faults, String... methods) {
    return failing(ConcurrentMap.class, new ConcurrentHashMap<String, String>(), faults, methods);
  }

  @Test
  void inADatabase() {
    Faults faults = new Faults();
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    JdbcSessions.createSchema(pool);
    DataSource source = failing(DataSource.class, pool, faults, "getConnection");
    requireAllOrNothing(faults, () -> JdbcSessions.over(source));
    pool.dispose();
  }

  private static void requireAllOrNothing(Faults faults, Supplier<SessionService> services) {
    for (boolean afterwards : new boolean[] {false, true}) {
      int failures = 0;
      do {
        SessionService service = services.get();
        // A user of its own, since what users share outlives their sessions.
        SessionId id = new SessionId("app", failures + " " + afterwards, "s");
        Session session = service.create(id);
        faults.arm(failures + 1, afterwards);
        Throwable thrown = catchThrowable(() -> session.append(event()));
        boolean failed = faults.failed;
        faults.arm(0, false);
        if (!failed) {
          assertThat(thrown).isNull();
          service.delete(id);
          break;
        }
        failures++;
        requireOneOrNone(service.get(id).snapshot());
        Outcome again = session.append(event()).outcome();
        assertThat(again).isIn(Outcome.APPENDED, Outcome.DUPLICATE);
        SessionSnapshot last = service.get(id).snapshot();
        requireOneOrNone(last);
        assertThat(last.events()).hasSize(1);
        assertThat(last.info().version()).isEqualTo(1);
        assertThat(last.events().get(0).delta().keys()).doesNotContain("temp:t");
        assertThat(session.append(event()).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(service.delete(id)).isTrue();
        assertThatThrownBy(() -> session.append(event())).hasMessageContaining("s");
      } while (failures < 200);
      assertThat(failures).isBetween(3, 199);
    }
  }

  private static void requireOneOrNone(SessionSnapshot session) {
    boolean there = !session.events().isEmpty();
    assertThat(session.state().get("k")).isEqualTo(there ? 1 : null);
    assertThat(session.state().get("user:u")).isEqualTo(there ? 2 : null);
    assertThat(session.info().eventCount()).isEqualTo(there ? 1 : 0);
  }
}
