package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.state.SessionState;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ReplayTest {

  @Test
  void sessionsAndFleetComeToTheSame() throws Exception {
    Replay.Outcome outcome = replay(3, SessionState::create).run();

    assertThat(outcome.sessions())
        .isEqualTo(outcome.fleet())
        .isEqualTo(outcome.traces().content())
        .isEqualTo(IndependentCount.of(ConversationSource.shipped()).times(3));
    assertThat(outcome.findings().torn()).isZero();
    assertThat(outcome.traces().problem()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "update, 500, The replay of conversation [",
    "apply, 300, The replay of conversation [",
    "draft, 1, The replay of conversation [",
    "all, 3, The dashboard"
  })
  void throwInAnyThreadEndsTheRun(String method, int lastGoodCall, String whose) {
    AtomicInteger calls = new AtomicInteger();
    Supplier<SessionState> states =
        () -> failing(method, () -> calls.incrementAndGet() > lastGoodCall);

    assertThatThrownBy(() -> replay(1_000_000, states).run())
        .isInstanceOf(ReplayFailedException.class)
        .hasMessageStartingWith(whose)
        .hasMessageEndingWith("failed: java.lang.AssertionError: broken on purpose");
  }

  private static Replay replay(int rounds, Supplier<SessionState> states) {
    Progress progress = new Progress(ExampleRun.print(new ByteArrayOutputStream()), false, 1);
    return new Replay(ConversationSource.shipped(), rounds, states, progress);
  }

  private static SessionState failing(String method, Supplier<Boolean> fails) {
    SessionState state = SessionState.create();
    return (SessionState)
        Proxy.newProxyInstance(
            ReplayTest.class.getClassLoader(),
            new Class<?>[] {SessionState.class},
            (proxy, called, args) -> {
              if (called.getName().equals(method) && fails.get()) {
                throw new AssertionError("broken on purpose");
              }
              try {
                return called.invoke(state, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
