package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S5: {@code update} loses nothing; {@link UpdateContract} has what one thread can see of it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S5UpdateLosesNothingTest {
  private static final int THREADS = 16;
  private static final int INCREMENTS = 1_000;

  private static Object plusOne(Object old) {
    return old == null ? 1 : (Integer) old + 1;
  }

  private static void increments(SessionState state, IntFunction<Object> increment)
      throws Exception {
    AtomicIntegerArray returned = new AtomicIntegerArray(THREADS * INCREMENTS + 1);
    new Storm()
        .once(
            THREADS,
            thread -> {
              for (int i = 0; i < INCREMENTS; i++) {
                returned.incrementAndGet((Integer) increment.apply(i));
              }
            })
        .repeat(1, snapshotter -> state.all())
        .run();

    assertThat(state.get("n")).isEqualTo(THREADS * INCREMENTS);
    for (int i = 1; i <= THREADS * INCREMENTS; i++) {
      assertThat(returned.get(i)).as("times that %d was returned", i).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void sixteenThreadsReturnEachNumberOnce(StateKind kind) throws Exception {
    SessionState state = kind.create();
    increments(state, i -> state.update("n", S5UpdateLosesNothingTest::plusOne));
  }

  @ParameterizedTest
  @EnumSource
  void sixteenThreadsReturnEachNumberOnceThroughTheView(StateKind kind) throws Exception {
    SessionState state = kind.create();
    increments(
        state,
        i ->
            i % 2 == 0
                ? state.asMap().merge("n", 1, (old, one) -> (Integer) old + (Integer) one)
                : state.asMap().compute("n", (key, old) -> plusOne(old)));
  }

  @ParameterizedTest
  @EnumSource
  void updatesThatRemoveAndCreateLoseNothing(StateKind kind) throws Exception {
    SessionState state = kind.create();
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 2_500; i++) {
                state.update("n", S5UpdateLosesNothingTest::nextOfThree);
              }
            })
        .repeat(2, snapshotter -> state.all())
        .run();

    assertThat(state.get("n")).isEqualTo(4 * 2_500 % 3);
  }

  /** Counts modulo three, with absent as zero. */
  private static Object nextOfThree(Object old) {
    if (old == null) {
      return 1;
    }
    return old.equals(1) ? 2 : null;
  }

  @Test
  void updatesLoseNothingWhileTheStateShrinksAndGrows() throws Exception {
    SessionState state = SessionState.create();
    int[] updates = new int[3];
    new Storm()
        .repeat(
            3,
            thread -> {
              state.update("n", S5UpdateLosesNothingTest::plusOne);
              updates[thread]++;
            })
        .repeat(
            1,
            grower -> {
              for (int i = 0; i < 260; i++) {
                state.set("k" + i, i);
              }
              for (int i = 0; i < 260; i++) {
                state.remove("k" + i);
              }
              state.all();
            })
        .runFor(Duration.ofMillis(500));

    assertThat(state.get("n")).isEqualTo(updates[0] + updates[1] + updates[2]);
  }

  @Test
  void functionRunsAgainAfterAnotherThreadHasChangedTheKey() throws Exception {
    SessionState state = SessionState.create();
    state.set("n", 1);
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch changed = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    new Storm()
        .once(
            1,
            updater ->
                state.update(
                    "n",
                    old -> {
                      if (runs.incrementAndGet() == 1) {
                        first.countDown();
                        await(changed);
                      }
                      return (Integer) old + 1;
                    }))
        .once(
            1,
            other -> {
              first.await();
              state.set("n", 10);
              changed.countDown();
            })
        .run();

    assertThat(runs).hasValue(2);
    assertThat(state.get("n")).isEqualTo(11);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the storm was ended by another thread", e);
    }
  }

  @Test
  void valueThatIsBackDoesNotHideThatItWasChanged() throws Exception {
    SessionState state = SessionState.create();
    state.set("list", List.of(1));
    AtomicInteger runs = new AtomicInteger();

    state.update(
        "list",
        old -> {
          if (runs.incrementAndGet() == 1) {
            state.set("list", "other");
            state.set("list", List.of(1)); // equal, but somebody else's
          }
          return "done";
        });

    assertThat(runs).hasValue(2);
  }

  @Test
  void updatesThatThrowChangeNothingWhileOthersGoOn() throws Exception {
    SessionState state = SessionState.create();
    BitSet thrown = new BitSet();
    new Storm()
        .once(
            2,
            thread -> {
              for (int i = 0; i < 2_000; i++) {
                state.update("n", S5UpdateLosesNothingTest::plusOne);
              }
            })
        .once(
            1,
            thrower -> {
              for (int i = 0; i < 2_000; i++) {
                try {
                  state.update("n", old -> plusOne(1 / (Integer.valueOf(0))));
                } catch (ArithmeticException e) {
                  thrown.set(i);
                }
              }
            })
        .run();

    assertThat(state.get("n")).isEqualTo(4_000);
    assertThat(thrown.cardinality()).isEqualTo(2_000);
  }
}
