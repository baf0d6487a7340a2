package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.session.Session;
import dev.stillframe.session.SessionService;
import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDraft;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ReplayTest {

  @Test
  void sessionsAndFleetComeToTheSame() throws Exception {
    Replay.Outcome outcome = replay(3, SessionService.inMemory(), SessionState.create()).run();

    assertThat(outcome.sessions())
        .isEqualTo(outcome.fleet())
        .isEqualTo(outcome.traces().content())
        .isEqualTo(IndependentCount.of(ConversationSource.shipped()).times(3));
    assertThat(outcome.findings().torn()).isZero();
    assertThat(outcome.sessionProblem()).isNull();
    assertThat(outcome.traces().problem()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "update, 500, The replay of conversation [",
    "create, 5, The creation of a session",
    "append, 300, The replay of conversation [",
    "draft, 1, The replay of conversation [",
    "all, 3, The dashboard",
    "snapshot, 30, The dashboard"
  })
  void throwInAnyThreadEndsTheRun(String method, int lastGoodCall, String whose) {
    AtomicInteger calls = new AtomicInteger();
    BooleanSupplier fails = () -> calls.incrementAndGet() > lastGoodCall;
    SessionService sessions =
        failing(SessionService.class, SessionService.inMemory(), method, fails);
    SessionState totals = failing(SessionState.class, SessionState.create(), method, fails);

    assertThatThrownBy(() -> replay(1_000_000, sessions, totals).run())
        .isInstanceOf(ReplayFailedException.class)
        .hasMessageStartingWith(whose)
        .hasMessageEndingWith("failed: java.lang.AssertionError: broken on purpose");
  }

  private static Replay replay(int rounds, SessionService sessions, SessionState totals) {
    Progress progress = new Progress(ExampleRun.print(new ByteArrayOutputStream()), false, 1);
    return new Replay(ConversationSource.shipped(), rounds, sessions, totals, null, progress);
  }

  /** Returns something that fails in a method, and so do the sessions and states it returns. */
  private static <T> T failing(Class<T> type, T real, String method, BooleanSupplier fails) {
    return type.cast(
        Proxy.newProxyInstance(
            ReplayTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, args) -> {
              if (called.getName().equals(method) && fails.getAsBoolean()) {
                throw new AssertionError("broken on purpose");
              }
              try {
                Object result = called.invoke(real, args);
                return result instanceof Session session
                    ? failing(Session.class, session, method, fails)
                    : result instanceof SessionState state && !(result instanceof StateDraft)
                        ? failing(SessionState.class, state, method, fails)
                        : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
