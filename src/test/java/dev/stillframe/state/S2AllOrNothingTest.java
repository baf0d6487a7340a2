package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** S2: of {@code apply} and {@code clear} everybody sees all or nothing. */
@ParameterizedClass
@EnumSource(names = {"ENGINE", "DRAFT"})
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S2AllOrNothingTest {
  private static final Duration STORM = Duration.ofMillis(300);
  private static final int KEYS = 40;

  private final SessionState state;
  private final AtomicInteger looks = new AtomicInteger();

  S2AllOrNothingTest(StateKind kind) {
    state = kind.create();
  }

  private static StateDelta allKeysTo(Object value) {
    return keysTo(value, KEYS);
  }

  private static StateDelta keysTo(Object value, int keys) {
    StateDelta.Builder delta = StateDelta.builder();
    for (int i = 0; i < keys; i++) {
      delta.set("k" + i, value);
    }
    return delta.build();
  }

  private static StateDelta noKeys() {
    StateDelta.Builder delta = StateDelta.builder();
    for (int i = 0; i < KEYS; i++) {
      delta.remove("k" + i);
    }
    return delta.build();
  }

  private static Set<Object> values(StateSnapshot snapshot) {
    return new HashSet<>(snapshot.asMap().values());
  }

  @Test
  void severalWritersNeverMix() throws Exception {
    int[] round = new int[3];
    state.apply(allKeysTo("start"));
    new Storm()
        .repeat(3, writer -> state.apply(allKeysTo(writer + ":" + ++round[writer])))
        .repeat(
            2,
            reader -> {
              assertThat(values(state.all())).hasSize(1);
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
    assertThat(values(state.all())).hasSize(1);
  }

  @Test
  void singleReadsSeeAnApplyInOneOrder() throws Exception {
    int[] round = new int[1];
    state.apply(keysTo(0, 200));
    new Storm()
        .repeat(1, writer -> state.apply(keysTo(++round[0], 200)))
        .repeat(
            2,
            reader -> {
              String first = reader == 0 ? "k0" : "k99"; // in key order, the first and the last
              String second = reader == 0 ? "k99" : "k0";
              for (int i = 0; i < 1_000; i++) {
                Integer before = (Integer) state.require(first);
                Integer after = (Integer) state.require(second);
                if (after < before) {
                  fail("%s was %d when %s was still %d", first, before, second, after);
                }
              }
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void comingAndGoingKeysComeAndGoTogether() throws Exception {
    new Storm()
        .repeat(
            1,
            writer -> {
              state.apply(allKeysTo(1));
              state.apply(noKeys());
            })
        .repeat(
            2,
            reader -> {
              assertThat(state.all().size()).isIn(0, KEYS);
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void clearRemovesAllAtOnce() throws Exception {
    StateDelta many = keysTo(1, 500);
    new Storm()
        .repeat(
            1,
            writer -> {
              state.apply(many);
              state.clear();
            })
        .repeat(
            2,
            reader -> {
              assertThat(state.all().size()).isIn(0, 500);
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void singleReadsSeeAClearInOneOrder() throws Exception {
    int[] round = new int[1];
    new Storm()
        .repeat(
            1,
            writer -> {
              Integer next = ++round[0];
              state.set("a", next);
              state.set("b", next);
              state.clear();
            })
        .repeat(
            2,
            reader -> {
              Object b = state.get("b");
              Object a = state.get("a"); // set before b: it is there unless the clear came between
              if (b != null && a == null) {
                assertThat(state.get("b")).isNotEqualTo(b);
              }
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void writesThatRaceWithAClearAreWholeOrGone() throws Exception {
    AtomicInteger added = new AtomicInteger();
    new Storm()
        .repeat(
            2,
            adder -> {
              String key = "key" + added.incrementAndGet();
              state.set(key, 1);
              state.update(key, old -> old == null ? "after a clear" : "updated");
              assertThat(state.get(key)).isIn("after a clear", "updated", null);
            })
        .repeat(1, clearer -> state.clear())
        .runFor(STORM);
    state.clear();

    assertThat(added).hasPositiveValue();
    assertThat(state.size()).isZero();
    assertThat(state.get("key1")).isNull();
  }

  @Test
  void putAllOfTheViewIsAtomic() throws Exception {
    int[] round = new int[2];
    new Storm()
        .repeat(
            2,
            writer -> {
              Map<String, Object> all = new HashMap<>();
              for (int i = 0; i < KEYS; i++) {
                all.put("k" + i, writer + ":" + round[writer]);
              }
              round[writer]++;
              state.asMap().putAll(all);
            })
        .repeat(
            2,
            reader -> {
              assertThat(values(state.all())).hasSizeLessThanOrEqualTo(1);
              looks.incrementAndGet();
            })
        .runFor(STORM);

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void applyAndSingleWritesLoseNothing() throws Exception {
    int[] applied = new int[2];
    AtomicInteger updated = new AtomicInteger();
    new Storm()
        .repeat(
            2,
            writer ->
                state.apply(
                    StateDelta.builder()
                        .set("a" + writer, ++applied[writer])
                        .set("z" + writer, applied[writer])
                        .set("m", "contended")
                        .build()))
        .repeat(
            2,
            updater -> {
              state.update("m", old -> "updated " + updater);
              state.update("n", old -> old == null ? 1 : (Integer) old + 1);
              updated.incrementAndGet();
            })
        .repeat(
            1,
            reader -> {
              StateSnapshot snapshot = state.all();
              assertThat(snapshot.get("a0")).isEqualTo(snapshot.get("z0"));
              assertThat(snapshot.get("a1")).isEqualTo(snapshot.get("z1"));
            })
        .runFor(STORM);

    assertThat(state.get("n")).isEqualTo(updated.get());
    assertThat(state.get("a0")).isEqualTo(state.get("z0")).isEqualTo(applied[0]);
    assertThat(state.get("a1")).isEqualTo(state.get("z1")).isEqualTo(applied[1]);
  }

  @Test
  void refusedWriteOfSeveralKeysLeavesNothingBehind() {
    state.set("a", 1);
    StateSnapshot before = state.all();
    Map<String, Object> bad = new LinkedHashMap<>();
    bad.put("a", 2);
    bad.put("b", 2);
    bad.put("c", null);

    assertThatThrownBy(() -> state.asMap().putAll(bad)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> state.apply(null)).isInstanceOf(NullPointerException.class);

    assertThat(state.all()).isSameAs(before);
  }
}
