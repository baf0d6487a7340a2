package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * S1: every operation takes effect at one instant, so that all of them are in one order which
 * everybody sees. (The search for any other order is Lincheck's.)
 */
@ParameterizedClass
@EnumSource(names = {"ENGINE", "DRAFT"})
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S1OneOrderTest {
  private static final Duration STORM = Duration.ofMillis(300);

  private static final int FILLERS = 1_000;

  private final SessionState state;
  private final AtomicInteger looks = new AtomicInteger();

  S1OneOrderTest(StateKind kind) {
    state = kind.create();
    for (int i = 0; i < FILLERS; i++) {
      state.set("filler" + i, i); // a snapshot takes a while, and meets some keys early, some late
    }
  }

  private static int number(StateSnapshot snapshot, String key) {
    return snapshot.get(key) instanceof Integer i ? i : 0;
  }

  @Test
  void secondWriteIsNeverSeenWithoutTheFirst() throws Exception {
    int[] rounds = new int[2];
    new Storm()
        .repeat(
            2,
            thread -> {
              int round = ++rounds[thread];
              for (int pair = 0; pair < 4; pair++) {
                state.set("first" + thread + pair, round);
                state.set("second" + thread + pair, round);
              }
            })
        .repeat(
            2,
            reader -> {
              StateSnapshot snapshot = state.all();
              for (String pair : List.of("00", "01", "02", "03", "10", "11", "12", "13")) {
                int first = number(snapshot, "first" + pair);
                assertThat(number(snapshot, "second" + pair)).isBetween(first - 1, first);
              }
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void keyThatCameLaterAndWentEarlierIsNeverSeenAlone() throws Exception {
    new Storm()
        .repeat(
            2,
            thread -> {
              state.set("outer" + thread, 1);
              state.set("inner" + thread, 1);
              state.remove("inner" + thread);
              state.remove("outer" + thread);
            })
        .repeat(
            2,
            reader -> {
              StateSnapshot snapshot = state.all();
              for (int thread = 0; thread < 2; thread++) {
                if (snapshot.get("inner" + thread) != null) {
                  assertThat(snapshot.get("outer" + thread)).isNotNull();
                }
              }
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void allReadersSeeTheWritesOfTwoThreadsInOneOrder() throws Exception {
    int[] written = new int[2];
    Queue<StateSnapshot> seen = new ConcurrentLinkedQueue<>();
    new Storm()
        .repeat(2, thread -> state.set("by" + thread, ++written[thread]))
        .repeat(
            2,
            reader -> {
              if (looks.incrementAndGet() < 20_000) {
                seen.add(state.all());
              }
            })
        .runFor(STORM);

    assertOneOrder(seen);
  }

  private static void assertOneOrder(Collection<StateSnapshot> seen) {
    List<StateSnapshot> inOrder = new ArrayList<>(seen);
    inOrder.sort(Comparator.comparingLong(StateSnapshot::version));
    assertThat(inOrder).hasSizeGreaterThan(1);
    for (int i = 1; i < inOrder.size(); i++) {
      for (String key : List.of("by0", "by1")) {
        assertThat(number(inOrder.get(i), key))
            .isGreaterThanOrEqualTo(number(inOrder.get(i - 1), key));
      }
    }
  }

  @Test
  void orderStaysWhileTheStateGrowsAndShrinks() throws Exception {
    SessionState small = SessionState.create();
    int[] written = new int[2];
    Queue<StateSnapshot> seen = new ConcurrentLinkedQueue<>();
    new Storm()
        .repeat(2, thread -> small.set("by" + thread, ++written[thread]))
        .repeat(
            1,
            grower -> {
              for (int i = 0; i < 300; i++) {
                small.set("grown" + i, i);
              }
              for (int i = 0; i < 300; i++) {
                small.remove("grown" + i);
              }
            })
        .repeat(
            2,
            reader -> {
              int before = (Integer) small.getOrDefault("by0", 0);
              StateSnapshot snapshot = small.all();
              assertThat(number(snapshot, "by0")).isGreaterThanOrEqualTo(before);
              if (looks.incrementAndGet() < 10_000) {
                seen.add(snapshot);
              }
            })
        .runFor(STORM);

    assertOneOrder(seen);
    assertThat(small.all().asMap()).isEqualTo(Map.of("by0", written[0], "by1", written[1]));
  }

  @Test
  void snapshotShowsAnInstantBetweenCallAndReturn() throws Exception {
    int[] written = new int[1];
    new Storm()
        .repeat(1, writer -> state.set("n", ++written[0]))
        .repeat(
            2,
            reader -> {
              int before = (Integer) state.getOrDefault("n", 0);
              int shown = number(state.all(), "n");
              int after = (Integer) state.getOrDefault("n", 0);
              assertThat(shown).isBetween(before, after);
              assertThat((Integer) state.asMap().getOrDefault("n", 0))
                  .isGreaterThanOrEqualTo(after);
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void readsOfOneThreadNeverGoBack() throws Exception {
    int[] written = new int[1];
    int[] last = new int[2];
    new Storm()
        .repeat(
            1,
            writer -> {
              if (++written[0] % 3 == 0) {
                state.remove("n"); // so that a new cell comes now and then
              }
              state.update("n", old -> written[0]);
            })
        .repeat(1, reader -> state.all())
        .repeat(
            2,
            reader -> {
              if (state.get("n") instanceof Integer now) {
                assertThat(now).isGreaterThanOrEqualTo(last[reader]);
                last[reader] = now;
              }
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void sizeAndKeysCountOneInstant() throws Exception {
    int[] position = new int[1];
    state.set("token0", 1);
    new Storm()
        .repeat(
            1,
            mover -> {
              String from = "token" + position[0] % 16;
              String to = "token" + ++position[0] % 16;
              state.apply(StateDelta.builder().remove(from).set(to, 1).build());
            })
        .repeat(
            2,
            reader -> {
              assertThat(state.size()).isEqualTo(FILLERS + 1);
              assertThat(state.asMap().size()).isEqualTo(FILLERS + 1);
              assertThat(state.keys().stream().filter(k -> k.startsWith("token"))).hasSize(1);
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void setIfAbsentAndRemoveMakeALock() throws Exception {
    int[] guarded = new int[1];
    AtomicInteger entered = new AtomicInteger();
    new Storm()
        .repeat(
            3,
            thread -> {
              if (state.setIfAbsent("lock", thread) == null) {
                guarded[0]++;
                entered.incrementAndGet();
                assertThat(state.remove("lock", thread)).isTrue();
              }
            })
        .repeat(1, reader -> state.all())
        .runFor(STORM);

    assertThat(guarded[0]).isPositive().isEqualTo(entered.get());
  }

  @Test
  void eachValueIsReplacedByOneThread() throws Exception {
    state.set("n", 0);
    AtomicInteger replaced = new AtomicInteger();
    new Storm()
        .repeat(
            3,
            thread -> {
              Integer now = (Integer) state.require("n");
              if (state.replace("n", now, now + 1)) {
                replaced.incrementAndGet();
              }
            })
        .repeat(1, reader -> state.all())
        .runFor(STORM);

    assertThat(state.get("n")).isEqualTo(replaced.get());
    assertThat(replaced).hasPositiveValue();
  }

  @Test
  void viewIsComparedAtOneInstant() throws Exception {
    StateDelta two = StateDelta.builder().set("x", 1).set("y", 1).remove("a").build();
    StateDelta one = StateDelta.builder().set("a", 1).remove("x").remove("y").build();
    state.clear();
    state.apply(two);
    Map<String, Object> never = Map.of("a", 1, "b", 2);
    new Storm()
        .repeat(
            1,
            writer -> {
              state.apply(one);
              state.apply(two);
            })
        .repeat(
            2,
            reader -> {
              assertThat(state.asMap().equals(never)).isFalse();
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }
}
