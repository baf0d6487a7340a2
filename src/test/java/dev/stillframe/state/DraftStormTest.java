package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Drafts that are committed side by side. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DraftStormTest {

  private static Object plusOne(Object old) {
    return old == null ? 1 : (Integer) old + 1;
  }

  private static void commitWithRetry(SessionState state, Consumer<StateDraft> work) {
    for (; ; ) {
      StateDraft draft = state.draft();
      work.accept(draft);
      try {
        draft.commit();
        return;
      } catch (StateConflictException e) {
        assertThat(e.keys()).isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void draftsThatAreRepeatedLoseNoIncrement(StateKind kind) throws Exception {
    SessionState state = kind.create();
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 300; i++) {
                commitWithRetry(state, draft -> draft.update("n", DraftStormTest::plusOne));
              }
            })
        .run();

    assertThat(state.get("n")).isEqualTo(1_200);
  }

  @ParameterizedTest
  @EnumSource
  void draftsThatMergeLoseNoIncrement(StateKind kind) throws Exception {
    SessionState state = kind.create();
    state.set("n", 0);
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 300; i++) {
                StateDraft draft = state.draft();
                draft.update("n", DraftStormTest::plusOne);
                draft.commit((key, base, current, mine) -> plusOne(current));
              }
            })
        .run();

    assertThat(state.get("n")).isEqualTo(1_200);
  }

  @ParameterizedTest
  @EnumSource
  void draftsAndPlainUpdatesLoseNoIncrement(StateKind kind) throws Exception {
    SessionState state = kind.create();
    new Storm()
        .once(
            2,
            thread -> {
              for (int i = 0; i < 300; i++) {
                commitWithRetry(state, draft -> draft.update("n", DraftStormTest::plusOne));
                state.apply(StateDelta.builder().set("other", i).remove("absent").build());
              }
            })
        .once(
            2,
            thread -> {
              for (int i = 0; i < 1_000; i++) {
                state.update("n", DraftStormTest::plusOne);
                state.all();
              }
            })
        .run();

    assertThat(state.get("n")).isEqualTo(2_600);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OVER_MAP")
  void twoDraftsThatReadWhatTheOtherWritesNeverBothCommit(StateKind kind) throws Exception {
    SessionState state = kind.create();
    CyclicBarrier round = new CyclicBarrier(2);
    List<String> doctors = List.of("alice", "bob");
    new Storm()
        .once(
            2,
            thread -> {
              for (int i = 0; i < 1_000; i++) {
                if (thread == 0) {
                  state.asMap().putAll(Map.of("alice", "on call", "bob", "on call"));
                }
                round.await();
                commitWithRetry(
                    state,
                    draft -> {
                      if (doctors.stream().allMatch(d -> draft.get(d).equals("on call"))) {
                        draft.set(doctors.get(thread), "asleep");
                      }
                    });
                round.await();
                assertThat(doctors).as("round %d", i).anyMatch(d -> state.get(d).equals("on call"));
                round.await();
              }
            })
        .run();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OVER_MAP")
  void draftsThatCountAllKeysNeverExceedALimitTogether(StateKind kind) throws Exception {
    for (int round = 0; round < 20; round++) {
      SessionState state = kind.create();
      new Storm()
          .once(
              4,
              thread -> {
                for (int i = 0; i < 10; i++) {
                  String seat = thread + ":" + i;
                  commitWithRetry(
                      state,
                      draft -> {
                        if (draft.size() < 20) {
                          draft.set(seat, thread);
                        }
                      });
                }
              })
          .run();

      assertThat(state.size()).isEqualTo(20);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OVER_MAP")
  void transfersKeepTheTotalInEverySnapshot(StateKind kind) throws Exception {
    SessionState state = kind.create();
    for (int i = 0; i < 10; i++) {
      state.set("account" + i, 100);
    }
    AtomicInteger snapshots = new AtomicInteger();
    new Storm()
        .repeat(
            2,
            thread -> {
              Random random = new Random();
              String from = "account" + random.nextInt(10);
              String to = "account" + random.nextInt(10);
              commitWithRetry(
                  state,
                  draft -> {
                    draft.update(from, old -> (Integer) old - 7);
                    StateDraft nested = draft.draft();
                    nested.update(to, old -> (Integer) old + 7);
                    nested.commit();
                  });
            })
        .repeat(
            1,
            thread -> {
              int total = state.all().stream().mapToInt(e -> (Integer) e.getValue()).sum();
              assertThat(total).isEqualTo(1_000);
              snapshots.incrementAndGet();
            })
        .runFor(Duration.ofMillis(500));

    assertThat(snapshots).hasPositiveValue();
  }

  @Test
  void oneDraftMayBeUsedBySeveralThreads() throws Exception {
    SessionState state = SessionState.create();
    StateDraft draft = state.draft();
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 1_000; i++) {
                draft.update("n", DraftStormTest::plusOne);
                draft.set("own" + thread, i);
                draft.apply(StateDelta.builder().set("a", i).set("b", i).build());
              }
            })
        .repeat(
            1,
            thread -> {
              StateSnapshot snapshot = draft.all();
              assertThat(snapshot.get("a")).isEqualTo(snapshot.get("b"));
            })
        .run();
    draft.commit();

    assertThat(state.get("n")).isEqualTo(4_000);
    assertThat(state.get("own3")).isEqualTo(999);
    assertThat(state.size()).isEqualTo(7);
  }

  @Test
  void oneOfSeveralThreadsCommitsADraft() throws Exception {
    for (int round = 0; round < 100; round++) {
      SessionState state = SessionState.create();
      StateDraft draft = state.draft();
      draft.update("n", DraftStormTest::plusOne);
      AtomicInteger committed = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      new Storm()
          .once(
              3,
              thread -> {
                try {
                  draft.commit((key, base, current, mine) -> plusOne(current));
                  committed.incrementAndGet();
                } catch (IllegalStateException e) {
                  refused.incrementAndGet();
                }
              })
          .run();

      assertThat(committed).hasValue(1);
      assertThat(refused).hasValue(2);
      assertThat(state.get("n")).isEqualTo(1);
    }
  }

  @Test
  void writeThatRacesWithTheCommitIsInItOrRefused() throws Exception {
    for (int round = 0; round < 100; round++) {
      SessionState state = SessionState.create();
      StateDraft draft = state.draft();
      draft.set("n", 0);
      AtomicInteger written = new AtomicInteger();
      new Storm()
          .once(1, thread -> draft.commit())
          .once(
              1,
              thread -> {
                try {
                  for (int i = 1; i <= 1_000; i++) {
                    draft.set("n", i);
                    written.set(i);
                  }
                } catch (IllegalStateException e) {
                  assertThat(e).hasMessageContaining("committed");
                }
              })
          .run();

      assertThat(state.get("n")).isEqualTo(written.get()).isEqualTo(draft.get("n"));
    }
  }
}
