package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;

/** The methods of the map that {@code asMap()} returns. */
interface MapViewContract extends StateContract {

  @Test
  default void viewIsLiveBothWays() {
    ConcurrentMap<String, Object> view = state().asMap();

    state().set("a", 1);
    assertThat(view.get("a")).isEqualTo(1);
    assertThat(view).hasSize(1).containsKey("a").containsValue(1).isNotEmpty();

    assertThat(view.put("a", 2)).isEqualTo(1);
    assertThat(view.put("b", 3)).isNull();
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 2, "b", 3));

    assertThat(view.remove("a")).isEqualTo(2);
    assertThat(view.remove("a")).isNull();
    view.clear();
    assertThat(state().size()).isZero();
    assertThat(view).isEmpty();
  }

  @Test
  default void viewWritesConditionally() {
    ConcurrentMap<String, Object> view = state().asMap();

    assertThat(view.putIfAbsent("a", 1)).isNull();
    assertThat(view.putIfAbsent("a", 2)).isEqualTo(1);
    assertThat(view.replace("a", 2, 3)).isFalse();
    assertThat(view.replace("a", 1, 3)).isTrue();
    assertThat(view.replace("a", 4)).isEqualTo(3);
    assertThat(view.replace("absent", 4)).isNull();
    assertThat(view.remove("a", 3)).isFalse();
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 4));
    assertThat(view.remove("a", 4)).isTrue();
    assertThat(state().size()).isZero();
  }

  @Test
  default void viewKnowsOnlyTextKeys() {
    state().set("1", "one");

    assertThat(state().asMap().get(1)).isNull();
    assertThat(state().asMap().containsKey(1)).isFalse();
    assertThat(state().asMap().remove(1)).isNull();
    assertThat(state().asMap().remove(1, "one")).isFalse();
    assertThat(state().asMap().getOrDefault(1, "default")).isEqualTo("default");
    assertThat(state().asMap().getOrDefault("1", "default")).isEqualTo("one");
    assertThat(state().size()).isEqualTo(1);
  }

  @Test
  default void viewComputes() {
    ConcurrentMap<String, Object> view = state().asMap();

    assertThat(view.compute("n", (key, old) -> old == null ? key : fail())).isEqualTo("n");
    assertThat(view.compute("n", (key, old) -> key + old)).isEqualTo("nn");
    assertThat(view.computeIfAbsent("n", key -> fail())).isEqualTo("nn");
    assertThat(view.computeIfAbsent("m", key -> key + 1)).isEqualTo("m1");
    assertThat(view.computeIfPresent("m", (key, old) -> key + old)).isEqualTo("mm1");
    assertThat(view.computeIfPresent("absent", (key, old) -> fail())).isNull();
    assertThat(state().all().asMap()).isEqualTo(Map.of("n", "nn", "m", "mm1"));
  }

  @Test
  default void viewMerges() {
    ConcurrentMap<String, Object> view = state().asMap();

    assertThat(view.merge("n", 1, (old, value) -> fail())).isEqualTo(1);
    assertThat(view.merge("n", 5, (old, value) -> (Integer) old - (Integer) value)).isEqualTo(-4);
    assertThat(state().get("n")).isEqualTo(-4);
  }

  @Test
  default void putAllSetsAll() {
    state().set("a", 1);
    Map<String, Object> more = new HashMap<>(Map.of("a", 2, "b", List.of(3)));

    state().asMap().putAll(more);
    more.put("a", 4);
    state().asMap().putAll(Map.of());

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 2, "b", List.of(3)));
  }

  @Test
  default void putAllWithANullSetsNothing() {
    Map<String, Object> withNull = new LinkedHashMap<>();
    withNull.put("a", 1);
    withNull.put("b", null);

    assertThatNullPointerException()
        .isThrownBy(() -> state().asMap().putAll(withNull))
        .withMessageContaining("'b'");
    assertThat(state().size()).isZero();
  }

  @Test
  default void replaceAllRewritesEveryValue() {
    state().asMap().putAll(Map.of("a", 1, "b", 2));

    state().asMap().replaceAll((key, value) -> key + value);

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", "a1", "b", "b2"));
  }

  @Test
  default void replaceAllDoesNotBringBackWhatWasRemovedMeanwhile() {
    state().asMap().putAll(Map.of("a", 1, "b", 2));

    state()
        .asMap()
        .replaceAll(
            (key, value) -> {
              state().remove(key.equals("a") ? "b" : "a");
              return key + value;
            });

    assertThat(state().size()).isEqualTo(1);
  }

  @Test
  default void forEachWalksASnapshot() {
    state().asMap().putAll(Map.of("a", 1, "b", 2));
    Map<String, Object> seen = new TreeMap<>();

    state()
        .asMap()
        .forEach(
            (key, value) -> {
              seen.put(key, value);
              state().set(key, "changed");
              state().set("new " + key, 0);
            });

    assertThat(seen).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(state().size()).isEqualTo(4);
  }

  @Test
  default void viewEqualsAMapWithTheSameEntries() {
    state().asMap().putAll(Map.of("a", 1, "b", List.of(2)));
    Map<String, Object> same = new HashMap<>(Map.of("a", 1, "b", List.of(2)));
    ConcurrentMap<String, Object> view = state().asMap();

    assertThat(view.equals(same)).isTrue();
    assertThat(same.equals(view)).isTrue();
    assertThat(view).hasSameHashCodeAs(same);
    assertThat(view.equals(Map.of("a", 1))).isFalse();
    assertThat(view.equals(Map.of("a", 1, "b", List.of(3)))).isFalse();
    assertThat(view.equals(Map.of("a", 1, "c", List.of(2)))).isFalse();
    assertThat(view.equals(List.of())).isFalse();
    assertThat(view.equals(state().asMap())).isTrue();
  }

  @Test
  default void viewHasTheTextOfAMap() {
    state().set("a", List.of(1));

    assertThat(state().asMap()).hasToString("{a=[1]}");
    assertThat(state().asMap().keySet()).hasToString("[a]");
    assertThat(state().asMap().values()).hasToString("[[1]]");
    assertThat(state().asMap().entrySet()).hasToString("[a=[1]]");
  }

  @Test
  default void viewCanBeCopiedByOrdinaryMeans() {
    state().asMap().putAll(Map.of("b", 2, "a", 1));

    assertThat(new HashMap<>(state().asMap())).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(new TreeMap<>(state().asMap()).firstKey()).isEqualTo("a");
    assertThat(Map.copyOf(state().asMap())).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(new ArrayList<>(state().asMap().values())).containsExactlyInAnyOrder(1, 2);
    assertThat(state().asMap().keySet().toArray(new String[0])).containsExactlyInAnyOrder("a", "b");
  }
}
