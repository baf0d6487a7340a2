package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Arrays are copied on the way in and on the way out (S6). */
interface CopiedArraysContract extends StateContract {
  StateKey<int[]> INTS = StateKey.of("ints", int[].class);

  @Test
  default void arrayIsCopiedOnTheWayIn() {
    int[] ints = {1, 2};
    state().set(INTS, ints);
    ints[0] = 9;

    assertThat(state().require(INTS)).containsExactly(1, 2);
  }

  @Test
  default void arrayIsCopiedOnEveryWayOut() {
    state().set(INTS, new int[] {1, 2});

    List<Object> outs =
        new ArrayList<>(
            List.of(
                state().require("ints"),
                state().require(INTS),
                state().all().get("ints"),
                state().all().asMap().get("ints"),
                state().all().iterator().next().getValue(),
                state().asMap().get("ints"),
                state().asMap().values().iterator().next(),
                state().getOrDefault("ints", "none"),
                state().setIfAbsent("ints", "other"),
                state().computeIfAbsent("ints", key -> "other"),
                state().update("ints", old -> old)));
    state().asMap().forEach((key, value) -> outs.add(value));
    outs.forEach(out -> ((int[]) out)[0] = 9);

    assertThat(state().require(INTS)).containsExactly(1, 2);
    assertThat((int[]) state().remove("ints")).containsExactly(1, 2);
  }

  @Test
  default void arrayThatAFunctionIsGivenIsACopy() {
    state().set(INTS, new int[] {1, 2});

    assertThatThrownBy(
            () ->
                state()
                    .update(
                        "ints",
                        old -> {
                          ((int[]) old)[0] = 9;
                          throw new IllegalStateException("thought better of it");
                        }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(state().require(INTS)).containsExactly(1, 2);
  }

  @Test
  default void functionMayReturnTheArrayThatItWasGiven() {
    state().set(INTS, new int[] {1, 2});
    StateSnapshot before = state().all();

    Object result =
        state()
            .update(
                "ints",
                old -> {
                  ((int[]) old)[0]++;
                  return old;
                });
    ((int[]) result)[0] = 9;

    assertThat(state().require(INTS)).containsExactly(2, 2);
    assertThat(before.get(INTS)).containsExactly(1, 2);
  }

  @Test
  default void removeIfMayChangeTheArrayThatItIsGiven() {
    state().set(INTS, new int[] {2, 1});

    assertThat(state().asMap().values().removeIf(ints -> sorted((int[]) ints)[0] == 1)).isTrue();

    assertThat(state().contains("ints")).isFalse();
  }

  private static int[] sorted(int[] ints) {
    Arrays.sort(ints);
    return ints;
  }

  @Test
  default void entryShowsACopyOfWhatWasSetThroughIt() {
    state().set("list", 1);
    List<Object> list = new ArrayList<>(List.of(1));
    Map.Entry<String, Object> entry = state().asMap().entrySet().iterator().next();
    entry.setValue(list);
    list.add(2);

    assertThat(entry.getValue()).isEqualTo(state().get("list")).isEqualTo(List.of(1));
  }

  @Test
  default void arraysInArraysAreCopied() {
    int[][] grid = {{1}, {2}};
    StateKey<int[][]> key = StateKey.of("grid", int[][].class);
    state().set(key, grid);

    grid[0][0] = 9;
    state().require(key)[1][0] = 9;
    state().require(key)[0] = null;

    assertThat(state().require(key)).isDeepEqualTo(new int[][] {{1}, {2}});
  }

  @Test
  default void arraysInCollectionsAreCopied() {
    int[] ints = {1};
    state().set("list", List.of(ints, List.of(ints)));
    state().set("map", Map.of("ints", ints));
    ints[0] = 9;
    List<?> list = (List<?>) state().require("list");
    Map<?, ?> map = (Map<?, ?>) state().require("map");

    ((int[]) list.get(0))[0] = 8;
    ((int[]) list.iterator().next())[0] = 8;
    ((int[]) list.toArray()[0])[0] = 8;
    ((int[]) ((List<?>) list.get(1)).get(0))[0] = 8;
    ((int[]) map.get("ints"))[0] = 8;
    ((int[]) map.values().iterator().next())[0] = 8;
    map.forEach((key, value) -> ((int[]) value)[0] = 8);

    assertThat((int[]) list.get(0)).containsExactly(1);
    assertThat((int[]) ((List<?>) list.get(1)).get(0)).containsExactly(1);
    assertThat((int[]) map.get("ints")).containsExactly(1);
  }

  @Test
  default void collectionsInArraysAreCopied() {
    List<Integer> list = new ArrayList<>(List.of(1));
    state().set("array", new Object[] {list, null, new Object[] {list}});
    list.add(2);
    Object[] array = (Object[]) state().require("array");

    assertThat(array[0]).isEqualTo(List.of(1));
    assertThat(array[1]).isNull();
    assertThat(((Object[]) array[2])[0]).isEqualTo(List.of(1));
    assertThat((Object) array).isInstanceOf(Object[].class);
  }

  @Test
  default void arraysInSetsAndKeysAreFoundByContent() {
    state().set("set", Set.of(new int[] {1}, "x"));
    state().set("map", Map.of(List.of("k"), 1));
    Set<?> set = (Set<?>) state().require("set");

    assertThat(set.contains(new int[] {1})).isTrue();
    assertThat(set.contains(new int[] {2})).isFalse();
    assertThat(set).hasSize(2);
    for (Iterator<?> elements = set.iterator(); elements.hasNext(); ) {
      if (elements.next() instanceof int[] ints) {
        ints[0] = 9;
      }
    }
    assertThat(set.contains(new int[] {1})).isTrue();
  }

  @Test
  default void arrayKeepsItsType() {
    List<Object> arrays =
        List.of(
            new byte[] {1},
            new String[] {"a", null},
            new Integer[] {1},
            new List<?>[] {List.of(1)},
            new double[0],
            new char[][] {{'a'}, null});
    for (Object array : arrays) {
      state().set("array", array);
      Object copy = state().require("array");

      assertThat(copy).isNotSameAs(array).hasSameClassAs(array);
      assertThat(Arrays.deepToString(new Object[] {copy}))
          .isEqualTo(Arrays.deepToString(new Object[] {array}));
    }
  }

  @Test
  default void arrayWhoseTypeCannotHoldACopyIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state().set("lists", new ArrayList<?>[] {new ArrayList<>()}))
        .withMessageContainingAll("'lists'", "java.util.ArrayList");
    assertThat(state().contains("lists")).isFalse();
  }

  @Test
  default void arrayThatContainsItselfIsRefused() {
    Object[] array = new Object[1];
    array[0] = array;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> state().set("array", array))
        .withMessageContaining("'array'");
  }

  @Test
  default void snapshotsWithEqualArraysAreEqual() {
    state().set(INTS, new int[] {1, 2});
    StateSnapshot first = state().all();
    state().set(INTS, new int[] {1, 2});
    StateSnapshot second = state().all();

    assertThat(second).isEqualTo(first).hasSameHashCodeAs(first);
    assertThat(second.deltaFrom(first).isEmpty()).isTrue();
    assertThat(second).hasToString("{ints=[1, 2]}");
  }

  @Test
  default void draftWithAnUnchangedArrayHasNoConflict() {
    state().set(INTS, new int[] {1, 2});
    StateDraft draft = state().draft();
    draft.update("ints", old -> new int[] {((int[]) old)[0] + 1, 2});

    draft.commit();

    assertThat(state().require(INTS)).containsExactly(2, 2);
  }

  @Test
  default void collectionFindsItsArraysByContent() {
    int[] one = {1};
    state().set("list", Arrays.asList(0, one, new int[] {2}, one));
    state().set("map", Map.of("k", one));
    state().set("ints", one);
    List<?> list = (List<?>) state().require("list");
    Map<?, ?> map = (Map<?, ?>) state().require("map");
    Map<String, Object> snapshot = state().all().asMap();

    assertThat(list.contains(list.get(1))).isTrue();
    assertThat(list.indexOf(new int[] {1})).isEqualTo(1);
    assertThat(list.lastIndexOf(new int[] {1})).isEqualTo(3);
    assertThat(list.indexOf(new int[] {3})).isEqualTo(-1);
    assertThat(map.containsValue(new int[] {1})).isTrue();
    assertThat(map.entrySet().contains(map.entrySet().iterator().next())).isTrue();
    assertThat(map.entrySet().contains(Map.entry("k", new int[] {2}))).isFalse();
    assertThat(snapshot.containsValue(new int[] {1})).isTrue();
    assertThat(state().asMap().equals(snapshot)).isTrue();
    assertThat(snapshot.equals(state().asMap())).isTrue();
    assertThat(state().asMap().equals(state().asMap())).isTrue();
  }
}
