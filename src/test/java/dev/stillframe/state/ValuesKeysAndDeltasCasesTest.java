package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Situations that have gone wrong elsewhere: values, keys and deltas. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ValuesKeysAndDeltasCasesTest {

  private static Map<String, Object> withNull(String setKey, Object value, String nullKey) {
    Map<String, Object> map = new HashMap<>();
    map.put(setKey, value);
    map.put(nullKey, null);
    return map;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("A null value breaks a step half-way")
  void nullInAStepRemovesAndNullInASetIsRefused(StateKind kind) {
    SessionState state = kind.create();
    state.asMap().putAll(Map.of("a", 0, "b", "x"));

    assertThatNullPointerException()
        .isThrownBy(() -> state.set("b", null))
        .withMessageContaining("'b'");
    assertThatNullPointerException()
        .isThrownBy(() -> state.asMap().putAll(withNull("a", 1, "b")))
        .withMessageContaining("'b'");
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 0, "b", "x"));

    state.apply(StateDelta.fromMap(withNull("a", 1, "b")));
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1));

    state.set("b", "x");
    assertThat(state.update("b", v -> null)).isNull();
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OVER_MAP")
  @DisplayName("A null value breaks a step half-way: nobody sees half of it")
  void nobodySeesHalfOfAStepThatRemoves(StateKind kind) throws Exception {
    SessionState state = kind.create();
    StateDelta step = StateDelta.fromMap(withNull("a", 1, "b"));
    StateDelta back = StateDelta.fromMap(withNull("b", "x", "a"));
    state.apply(back);
    AtomicInteger looks = new AtomicInteger();
    new Storm()
        .repeat(
            1,
            writer -> {
              state.apply(step);
              state.apply(back);
            })
        .repeat(
            2,
            reader -> {
              assertThat(state.all().toString()).isIn("{a=1}", "{b=x}");
              looks.incrementAndGet();
            })
        .runFor(Duration.ofMillis(300));

    assertThat(looks).hasPositiveValue();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Deleted keys come back from the other store")
  void deletedKeysStayAway(StateKind kind) {
    SessionState state = kind.create();
    state.asMap().putAll(Map.of("k", 1, "user:k", 2, "app:k", 3, "kept", 4));
    StateSnapshot stored = state.all();
    Map<String, Object> marks = new HashMap<>();
    List.of("k", "user:k", "app:k").forEach(key -> marks.put(key, null));
    StateDelta removal = StateDelta.fromMap(marks);

    state.apply(removal);
    SessionState reloaded = kind.create();
    reloaded.asMap().putAll(stored.asMap());
    reloaded.apply(StateDelta.fromMap(new HashMap<>(removal.asMap()))); // as read from a record

    for (SessionState s : List.of(state, reloaded)) {
      assertThat(s.all().asMap()).isEqualTo(Map.of("kept", 4));
      for (String key : List.of("k", "user:k", "app:k")) {
        assertThat(s.contains(key)).isFalse();
        assertThat(s.get(key)).isNull();
        assertThat(s.all().asMap()).doesNotContainKey(key);
        assertThat(s.asMap()).doesNotContainKey(key);
        assertThat(s.getOrDefault(key, "default")).isEqualTo("default");
      }
    }
    assertThat(state.all().deltaFrom(stored)).isEqualTo(removal);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Scope prefixes that nest")
  void noTwoKeysShareASlot(StateKind kind) {
    SessionState state = kind.create();
    List<String> keys =
        List.of(
            "app:temp:x",
            "user:app:x",
            "temp:user:x",
            "app:",
            "user:",
            ":x",
            "App:x",
            "application",
            "x",
            "app:x",
            "");
    for (String key : keys) {
      assertThat(state.set(key, "value of " + key)).as(key).isNull();
    }

    assertThat(state.keys()).containsExactlyInAnyOrderElementsOf(keys);
    StateSnapshot snapshot = state.all();
    for (String key : keys) {
      assertThat(state.get(key)).isEqualTo("value of " + key);
      assertThat(snapshot.get(key)).isEqualTo("value of " + key);
      assertThat(state.remove(key)).isEqualTo("value of " + key);
    }
    assertThat(state.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("State rebuilt from the record differs from the live one")
  void stateRebuiltFromTheRecordIsTheLiveOne(StateKind kind) {
    SessionState live = kind.create();
    live.set("tenant", "t1");
    StateSnapshot initial = live.all();
    List<StateDelta> record =
        List.of(
            StateDelta.builder().set("k1", 1).build(),
            StateDelta.builder().set("k2", List.of(2)).build(),
            StateDelta.builder().remove("k1").build());
    StateSnapshot[] asOf = new StateSnapshot[record.size()];
    for (int i = 0; i < record.size(); i++) {
      live.apply(record.get(i));
      asOf[i] = live.all();
    }

    for (int last = 0; last < record.size(); last++) {
      SessionState rebuilt = kind.create();
      rebuilt.asMap().putAll(initial.asMap());
      record.subList(0, last + 1).forEach(d -> rebuilt.apply(StateDelta.fromMap(d.asMap())));
      assertThat(rebuilt.all()).isEqualTo(asOf[last]);
      assertThat(rebuilt.get("tenant")).isEqualTo("t1");
    }
    StateDelta whole = record.stream().reduce(StateDelta.empty(), StateDelta::then);
    SessionState atOnce = kind.create();
    atOnce.set("tenant", "t1");
    atOnce.apply(whole);
    assertThat(atOnce.all()).isEqualTo(live.all());
    assertThat(live.all().asMap()).isEqualTo(Map.of("tenant", "t1", "k2", List.of(2)));

    // And back, event by event.
    live.apply(record.get(2).inverseOn(asOf[1]));
    assertThat(live.all()).isEqualTo(asOf[1]);
    live.apply(record.get(1).inverseOn(asOf[0]));
    live.apply(record.get(0).inverseOn(initial));
    assertThat(live.all()).isEqualTo(initial);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Values that look like nothing are values")
  void emptyValuesSurviveADelta(StateKind kind) {
    SessionState state = kind.create();
    Map<String, Object> values =
        Map.of("text", "", "zero", 0, "no", false, "list", List.of(), "map", Map.of());

    state.apply(StateDelta.fromMap(values));
    state.set("nulls", Arrays.asList(null, ""));

    assertThat(state.size()).isEqualTo(6);
    assertThat(state.all().asMap()).containsAllEntriesOf(values);
    assertThat(state.get("nulls")).isEqualTo(Arrays.asList(null, ""));
  }
}
