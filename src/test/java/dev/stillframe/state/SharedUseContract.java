package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What holds for single keys when several threads use one state. */
interface SharedUseContract extends StateContract {

  @Test
  default void updatesOfSeveralThreadsAddUp() throws Exception {
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 1_000; i++) {
                state().update("n", old -> old == null ? 1 : (Integer) old + 1);
              }
            })
        .run();

    assertThat(state().get("n")).isEqualTo(4_000);
  }

  @Test
  default void oneOfSeveralThreadsSetsAnAbsentKey() throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "k" + round;
      Set<Integer> winners = ConcurrentHashMap.newKeySet();
      new Storm()
          .once(
              4,
              thread -> {
                if (state().setIfAbsent(key, thread) == null) {
                  winners.add(thread);
                }
              })
          .run();

      assertThat(winners).containsExactly((Integer) state().get(key));
    }
  }

  @Test
  default void allThreadsGetTheOneComputedValue() throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "k" + round;
      Set<Object> results = ConcurrentHashMap.newKeySet();
      new Storm()
          .once(4, thread -> results.add(state().computeIfAbsent(key, k -> "by " + thread)))
          .run();

      assertThat(results).hasSize(1).containsExactly(state().get(key));
    }
  }

  @Test
  default void oneOfSeveralThreadsRemovesAKey() throws Exception {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      keys.add("k" + i);
      state().set("k" + i, i);
    }
    AtomicInteger removed = new AtomicInteger();
    new Storm()
        .once(
            4,
            thread -> {
              for (String key : keys) {
                if (thread % 2 == 0
                    ? state().remove(key) != null
                    : state().remove(key, state().getOrDefault(key, "gone"))) {
                  removed.incrementAndGet();
                }
              }
            })
        .run();

    assertThat(removed).hasValue(1_000);
    assertThat(state().size()).isZero();
  }

  @Test
  default void everyWrittenValueIsHandedBackOnce() throws Exception {
    Set<Object> handedBack = ConcurrentHashMap.newKeySet();
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 1_000; i++) {
                Object old =
                    i % 3 == 2 ? state().remove("slot") : state().set("slot", thread + ":" + i);
                assertThat(old == null || handedBack.add(old)).as("%s came twice", old).isTrue();
              }
            })
        .repeat(1, thread -> state().all())
        .run();
    Object last = state().remove("slot");
    if (last != null) {
      handedBack.add(last);
    }

    assertThat(handedBack).hasSize(4 * 667);
  }

  @Test
  default void walkingGoesOnWhileOthersWrite() throws Exception {
    for (int i = 0; i < 100; i++) {
      state().set("stays" + i, i);
    }
    new Storm()
        .once(
            2,
            thread -> {
              for (int i = 0; i < 2_000; i++) {
                state().set(thread + "comes" + i % 50, i);
                state().remove(thread + "comes" + (i + 25) % 50);
              }
            })
        .repeat(
            1,
            thread -> {
              int stays = 0;
              for (Map.Entry<String, Object> entry : state().all()) {
                stays += entry.getKey().startsWith("stays") ? 1 : 0;
              }
              assertThat(stays).isEqualTo(100);
            })
        .repeat(1, thread -> assertThat(state().asMap().keySet()).contains("stays0", "stays99"))
        .run();
  }
}
