package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Writes that depend on what is there. */
interface ConditionalWriteContract extends StateContract {

  @Test
  default void setIfAbsentSetsOnlyOnce() {
    assertThat(state().setIfAbsent("a", 1)).isNull();
    assertThat(state().setIfAbsent("a", 2)).isEqualTo(1);
    assertThat(state().get("a")).isEqualTo(1);

    state().remove("a");
    assertThat(state().setIfAbsent("a", 3)).isNull();
    assertThat(state().get("a")).isEqualTo(3);
  }

  @Test
  default void computeIfAbsentComputesFromTheKeyAndStores() {
    assertThat(state().computeIfAbsent("abc", String::length)).isEqualTo(3);
    assertThat(state().get("abc")).isEqualTo(3);
  }

  @Test
  default void computeIfAbsentLeavesAPresentKeyAlone() {
    state().set("a", 1);

    assertThat(state().computeIfAbsent("a", key -> fail("must not be called"))).isEqualTo(1);
    assertThat(state().get("a")).isEqualTo(1);
  }

  @Test
  default void computeIfAbsentOfNullLeavesTheKeyAbsent() {
    assertThat(state().computeIfAbsent("a", key -> null)).isNull();
    assertThat(state().contains("a")).isFalse();
  }

  @Test
  default void computeIfAbsentThatThrowsLeavesTheKeyAbsent() {
    IllegalStateException failure = new IllegalStateException("no answer");

    assertThatThrownBy(
            () ->
                state()
                    .computeIfAbsent(
                        "a",
                        key -> {
                          throw failure;
                        }))
        .isSameAs(failure);
    assertThat(state().contains("a")).isFalse();
  }

  @Test
  default void computeIfAbsentYieldsToAValueThatCameMeanwhile() {
    Object result =
        state()
            .computeIfAbsent(
                "a",
                key -> {
                  state().set(key, "first");
                  return "second";
                });

    assertThat(result).isEqualTo("first");
    assertThat(state().get("a")).isEqualTo("first");
  }

  @Test
  default void computeIfAbsentMayComputeOtherKeysOfTheState() {
    List<String> keys = SameHash.keys(32);
    Object result = state().computeIfAbsent(keys.get(0), key -> depth(keys, 1));

    assertThat(result).isEqualTo(31);
    assertThat(state().size()).isEqualTo(32);
  }

  private Object depth(List<String> keys, int next) {
    return next == keys.size()
        ? 0
        : (Integer) state().computeIfAbsent(keys.get(next), key -> depth(keys, next + 1)) + 1;
  }

  @Test
  default void replaceNeedsTheExpectedValue() {
    assertThat(state().replace("a", 1, 2)).isFalse();
    assertThat(state().contains("a")).isFalse();

    state().set("a", 1);
    assertThat(state().replace("a", 2, 3)).isFalse();
    assertThat(state().get("a")).isEqualTo(1);
    assertThat(state().replace("a", 1, 3)).isTrue();
    assertThat(state().get("a")).isEqualTo(3);
  }

  @Test
  default void removeNeedsTheExpectedValue() {
    assertThat(state().remove("a", 1)).isFalse();

    state().set("a", 1);
    assertThat(state().remove("a", 2)).isFalse();
    assertThat(state().get("a")).isEqualTo(1);
    assertThat(state().remove("a", 1)).isTrue();
    assertThat(state().contains("a")).isFalse();
  }

  @Test
  default void expectedValuesAreComparedByContent() {
    state().set("text", new String("x"));
    state().set("list", List.of(1, List.of(2)));
    state().set("map", Map.of("k", List.of(1)));

    assertThat(state().replace("text", new String("x"), "y")).isTrue();
    assertThat(state().replace("list", List.of(1, List.of(3)), "y")).isFalse();
    assertThat(state().replace("list", List.of(1, List.of(2)), "y")).isTrue();
    assertThat(state().remove("map", Map.of("k", List.of(2)))).isFalse();
    assertThat(state().remove("map", Map.of("k", List.of(1)))).isTrue();
  }

  @Test
  default void expectedArraysAreComparedByContent() {
    state().set("ints", new int[] {1, 2});
    state().set("grid", new int[][] {{1}, {2}});

    assertThat(state().replace("ints", new int[] {1, 3}, "y")).isFalse();
    assertThat(state().replace("ints", new int[] {1, 2}, "y")).isTrue();
    assertThat(state().remove("grid", new int[][] {{1}, {3}})).isFalse();
    assertThat(state().remove("grid", new int[][] {{1}, {2}})).isTrue();
  }

  @Test
  default void expectedArraysThatADeltaBroughtAreComparedByContent() {
    state().apply(StateDelta.builder().set("ints", new int[] {1, 2}).build());

    assertThat(state().replace("ints", new int[] {1, 3}, "y")).isFalse();
    assertThat(state().replace("ints", new int[] {1, 2}, "y")).isTrue();
  }
}
