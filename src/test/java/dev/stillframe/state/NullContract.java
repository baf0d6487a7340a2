package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Null is not a value (S7). */
interface NullContract extends StateContract {

  @Test
  default void nullValueIsRefusedWithTheKeyAndAWayOut() {
    state().set("a", 1);

    refusesValueOfA(() -> state().set("a", null));
    refusesValueOfA(() -> state().set(StateKey.of("a", Integer.class), null));
    refusesValueOfA(() -> state().setIfAbsent("a", null));
    refusesValueOfA(() -> state().replace("a", 1, null));
    refusesValueOfA(() -> state().asMap().put("a", null));
    refusesValueOfA(() -> state().asMap().putIfAbsent("a", null));
    refusesValueOfA(() -> state().asMap().replace("a", null));
    refusesValueOfA(() -> state().asMap().replace("a", 1, null));
    refusesValueOfA(() -> state().asMap().merge("a", null, (old, value) -> 2));
    refusesValueOfA(() -> state().asMap().putAll(Collections.singletonMap("a", null)));
    refusesValueOfA(() -> state().asMap().entrySet().iterator().next().setValue(null));
    refusesValueOfA(() -> state().asMap().replaceAll((key, old) -> null));
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
  }

  private static void refusesValueOfA(ThrowingCallable write) {
    assertThatNullPointerException()
        .isThrownBy(write)
        .withMessageContainingAll("'a'", "use remove");
  }

  @Test
  default void nullValueIsRefusedForAnAbsentKeyToo() {
    refusesValueOfA(() -> state().set("a", null));
    refusesValueOfA(() -> state().setIfAbsent("a", null));
    refusesValueOfA(() -> state().replace("a", 1, null));
    assertThat(state().size()).isZero();
  }

  @Test
  default void nullKeyIsRefused() {
    state().set("a", 1);

    refuses(() -> state().get((String) null));
    refuses(() -> state().get((StateKey<?>) null));
    refuses(() -> state().require((String) null));
    refuses(() -> state().getOrDefault((String) null, 1));
    refuses(() -> state().contains(null));
    refuses(() -> state().set((String) null, 1));
    refuses(() -> state().setIfAbsent(null, 1));
    refuses(() -> state().computeIfAbsent(null, key -> 1));
    refuses(() -> state().replace(null, 1, 2));
    refuses(() -> state().update((String) null, old -> 1));
    refuses(() -> state().update((String) null, old -> null));
    refuses(() -> state().remove((String) null));
    refuses(() -> state().remove(null, 1));
    refuses(() -> state().asMap().get(null));
    refuses(() -> state().asMap().containsKey(null));
    refuses(() -> state().asMap().put(null, 1));
    refuses(() -> state().asMap().remove(null));
    refuses(() -> state().asMap().putAll(Collections.singletonMap(null, 1)));
    refuses(() -> state().all().get((String) null));
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void nullExpectedValueIsRefused() {
    refuses(() -> state().replace("a", null, 1));
    refuses(() -> state().remove("a", null));
    assertThat(state().asMap().remove("a", null)).isFalse();
  }

  @Test
  default void nullFunctionOrDeltaIsRefused() {
    state().set("a", 1);

    refuses(() -> state().update("a", null));
    refuses(() -> state().computeIfAbsent("a", null));
    refuses(() -> state().computeIfAbsent("b", null));
    refuses(() -> state().apply(null));
    refuses(() -> state().getOrDefault("b", null));
    refuses(() -> state().all().deltaFrom(null));
    refuses(() -> state().asMap().compute("a", null));
    refuses(() -> state().asMap().computeIfPresent("b", null));
    refuses(() -> state().asMap().merge("b", 1, null));
    refuses(() -> state().asMap().replaceAll(null));
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
  }

  private static void refuses(ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call);
  }

  @Test
  default void nullFromAFunctionRemoves() {
    state().asMap().putAll(Map.of("update", 1, "compute", 1, "present", 1, "merge", 1));

    assertThat(state().update("update", old -> null)).isNull();
    assertThat(state().asMap().compute("compute", (key, old) -> null)).isNull();
    assertThat(state().asMap().computeIfPresent("present", (key, old) -> null)).isNull();
    assertThat(state().asMap().merge("merge", 2, (old, value) -> null)).isNull();
    assertThat(state().size()).isZero();
  }

  @Test
  default void nullInADeltaRemoves() {
    state().set("a", 1);
    state().set("b", 2);
    Map<String, Object> changes = new HashMap<>();
    changes.put("a", null);
    changes.put("absent", null);
    changes.put("c", 3);

    state().apply(StateDelta.fromMap(changes));

    assertThat(state().all().asMap()).isEqualTo(Map.of("b", 2, "c", 3));
  }

  @Test
  default void removedKeyIsAbsentEverywhere() {
    state().set("a", 1);
    state().set("b", 2);
    state().update("a", old -> null);

    assertThat(state().get("a")).isNull();
    assertThat(state().contains("a")).isFalse();
    assertThat(state().getOrDefault("a", "default")).isEqualTo("default");
    assertThat(state().size()).isEqualTo(1);
    assertThat(state().keys()).containsExactly("b");
    assertThat(state().all().get("a")).isNull();
    assertThat(state().all().asMap()).doesNotContainKey("a").hasSize(1);
    assertThat(state().all().stream().map(Map.Entry::getKey)).containsExactly("b");
    assertThat(state().asMap().containsKey("a")).isFalse();
    assertThat(state().asMap().keySet()).containsExactly("b");
    assertThat(state().asMap().values()).containsExactly(2);
  }

  @Test
  default void emptyAndZeroAreValues() {
    List<Object> values = List.of("", 0, false, List.of(), Map.of(), 0.0, '\0');
    for (int i = 0; i < values.size(); i++) {
      state().set("k" + i, values.get(i));
    }

    assertThat(state().size()).isEqualTo(values.size());
    for (int i = 0; i < values.size(); i++) {
      assertThat(state().contains("k" + i)).isTrue();
      assertThat(state().require("k" + i)).isEqualTo(values.get(i));
      assertThat(state().setIfAbsent("k" + i, "other")).isEqualTo(values.get(i));
      assertThat(state().remove("k" + i, values.get(i))).isTrue();
    }
    assertThat(state().size()).isZero();
  }
}
