package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Collections are copied as they are stored (S6); {@link CopiedArraysContract} has the arrays. */
interface CopiedValuesContract extends CopiedArraysContract {

  private <T> T stored(Object value, Class<T> type) {
    state().set("value", value);
    return state().require(StateKey.of("value", type));
  }

  @Test
  default void laterChangesToWhatWasStoredDoNotShow() {
    List<Object> inner = new ArrayList<>(List.of(1));
    Map<String, Object> map = new HashMap<>(Map.of("list", inner));
    Set<Object> set = new LinkedHashSet<>(List.of(inner));
    state().set("map", map);
    state().setIfAbsent("set", set);
    state().computeIfAbsent("list", key -> inner);
    state().update("updated", old -> map);
    state().asMap().put("put", map);
    state().asMap().putAll(Map.of("putAll", map));
    state().apply(StateDelta.builder().set("applied", map).build());
    state().asMap().merge("merged", map, (old, value) -> value);
    state().set("replaced", 1);
    state().replace("replaced", 1, map);

    inner.add(2);
    map.put("new", 1);
    set.add("new");

    Map<String, Object> before = Map.of("list", List.of(1));
    for (String key : List.of("map", "updated", "put", "putAll", "applied", "merged", "replaced")) {
      assertThat(state().get(key)).as(key).isEqualTo(before);
    }
    assertThat(state().get("set")).isEqualTo(Set.of(List.of(1)));
    assertThat(state().get("list")).isEqualTo(List.of(1));
  }

  @Test
  default void whatComesOutCannotBeChanged() {
    state().set("map", new HashMap<>(Map.of("list", new ArrayList<>(List.of(1)))));
    state().set("set", new LinkedHashSet<>(List.of(1)));

    List<Object> outs =
        List.of(
            state().require("map"),
            state().require("set"),
            ((Map<?, ?>) state().require("map")).get("list"),
            ((Map<?, ?>) state().all().asMap().get("map")).get("list"),
            state().all().asMap().get("set"),
            state().asMap().get("map"),
            state().update("map", old -> old),
            state().setIfAbsent("map", 1),
            state().computeIfAbsent("map", key -> 1),
            state().set("map", state().require("map")));
    for (Object out : outs) {
      assertThatThrownBy(() -> change(out)).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(state().get("map")).isEqualTo(Map.of("list", List.of(1)));
  }

  @SuppressWarnings("unchecked")
  private static void change(Object collection) {
    if (collection instanceof List<?> list) {
      ((List<Object>) list).set(0, 2);
    } else if (collection instanceof Set<?> set) {
      ((Set<Object>) set).add(2);
    } else {
      ((Map<Object, Object>) collection).put("list", 2);
    }
  }

  @Test
  default void everyWayOfChangingACollectionFails() {
    List<Object> list = cast(stored(new ArrayList<>(List.of(2, 1)), List.class));
    Set<Object> set = cast(stored(new LinkedHashSet<>(List.of(2, 1)), Set.class));
    Map<Object, Object> map = cast(stored(new LinkedHashMap<>(Map.of("k", 1)), Map.class));

    List<Runnable> changes =
        List.of(
            () -> list.add(3),
            () -> list.remove(0),
            () -> list.sort(null),
            () -> list.replaceAll(x -> 0),
            () -> list.subList(0, 1).clear(),
            () -> list.listIterator().add(0),
            () -> list.clear(),
            () -> set.remove(2),
            () -> set.removeIf(x -> true),
            () -> set.retainAll(Set.of()),
            () -> set.clear(),
            () -> map.remove("k"),
            () -> map.replaceAll((key, value) -> 0),
            () -> map.compute("k", (key, value) -> 0),
            () -> map.entrySet().iterator().next().setValue(0),
            () -> map.keySet().remove("k"),
            () -> map.values().clear(),
            () -> map.clear());
    for (Runnable change : changes) {
      assertThatThrownBy(change::run).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(list).containsExactly(2, 1);
    assertThat(set).containsExactly(2, 1);
    assertThat(map).containsExactly(Map.entry("k", 1));
  }

  @SuppressWarnings("unchecked")
  private static <T> T cast(Object value) {
    return (T) value;
  }

  @Test
  default void whatIsACopyAlreadyIsNotCopiedAgain() {
    state().set("list", new ArrayList<>(List.of(new ArrayList<>(List.of(1)))));
    Object once = state().require("list");

    state().set("again", once);
    state().set("nested", Map.of("inner", once));

    assertThat(state().get("list")).isSameAs(once);
    assertThat(state().get("again")).isSameAs(once);
    assertThat(state().all().get("again")).isSameAs(once);
    assertThat(((Map<?, ?>) state().require("nested")).get("inner")).isSameAs(once);
  }

  @Test
  default void orderIsKept() {
    List<Integer> order = List.of(5, 3, 9, 1, 7);
    Map<Integer, String> map = new LinkedHashMap<>();
    order.forEach(i -> map.put(i, "v" + i));

    assertThat(stored(new LinkedHashSet<>(order), Set.class))
        .containsExactlyElementsOf(cast(order));
    assertThat(stored(map, Map.class).keySet()).containsExactlyElementsOf(cast(order));
    assertThat(stored(new TreeMap<>(map).descendingMap(), Map.class).keySet())
        .containsExactlyElementsOf(cast(List.of(9, 7, 5, 3, 1)));
  }

  @Test
  default void collectionsMayHoldNulls() {
    List<Object> list = Arrays.asList(1, null, Arrays.asList((Object) null));
    Set<Object> set = new LinkedHashSet<>(Arrays.asList(null, 1));
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("k", null);
    map.put(null, 1);

    assertThat(stored(list, List.class)).isEqualTo(list);
    assertThat(stored(set, Set.class)).isEqualTo(set).containsExactlyElementsOf(cast(set));
    assertThat(stored(map, Map.class)).isEqualTo(map).containsKey("k").containsKey(null);
  }

  @Test
  default void copiesAreEqualToWhatWasStored() {
    List<Object> list = List.of(1, "x", List.of(2), Map.of("k", Set.of(3)));
    Set<Object> set = Set.of(1, List.of(2));
    Map<Object, Object> map = Map.of(List.of(1), Map.of("k", 1), "x", Set.of(2));

    for (Object value : List.of(list, set, map, List.of(), Set.of(), Map.of())) {
      Object copy = stored(value, Object.class);
      assertThat(copy).isEqualTo(value).hasSameHashCodeAs(value);
      assertThat(value).isEqualTo(copy);
    }
    assertThat(stored(map, Map.class).get(List.of(1))).isEqualTo(Map.of("k", 1));
    assertThat(stored(set, Set.class).contains(List.of(2))).isTrue();
    assertThat(stored(list, List.class).indexOf("x")).isEqualTo(1);
  }

  @Test
  default void collectionThatContainsItselfIsRefused() {
    List<Object> list = new ArrayList<>();
    list.add(Collections.singletonMap("list", list));
    state().set("a", 1);

    for (Runnable write :
        List.<Runnable>of(
            () -> state().set("a", list),
            () -> state().set("b", list),
            () -> state().asMap().putAll(Map.of("c", 1, "d", list)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(write::run)
          .withMessageContainingAll("500", "contain itself");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StateDelta.builder().set("e", list))
        .withMessageContaining("'e'");
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void nestingIsBounded() {
    state().set("deep", nested(500));
    assertThat(depth(state().require("deep"))).isEqualTo(500);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> state().set("deeper", nested(501)))
        .withMessageContaining("'deeper'");
    assertThat(state().contains("deeper")).isFalse();
  }

  @Test
  default void nestingIsBoundedForWhatCameOutOfTheStateToo() {
    state().set("log", List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                state().update("log", List::of);
              }
            })
        .withMessageContaining("'log'");
  }

  private static List<?> nested(int levels) {
    List<?> list = List.of();
    for (int i = 1; i < levels; i++) {
      list = List.of(list);
    }
    return list;
  }

  private static int depth(Object value) {
    int depth = 0;
    for (Object v = value; v instanceof List<?> list; v = list.isEmpty() ? null : list.get(0)) {
      depth++;
    }
    return depth;
  }

  @Test
  default void otherObjectsAreHeldAsTheyAre() {
    Object object = new Object();
    StringBuilder text = new StringBuilder("x");
    state().set("object", object);
    state().set("holder", List.of(text));

    assertThat(state().get("object")).isSameAs(object);
    assertThat(((List<?>) state().require("holder")).get(0)).isSameAs(text);
  }

  @Test
  default void queueOrViewIsCopiedAsAList() {
    Deque<Object> queue = new ArrayDeque<>(List.of(1, new ArrayList<>(List.of(2))));
    Map<String, Object> map = new HashMap<>(Map.of("k", 1));
    List<Object> nested = List.of(new ArrayDeque<>(List.of(3)));
    state().set("queue", queue);
    state().set("view", map.values());
    state().set("nested", nested);
    queue.add(4);
    map.put("k", 2);
    ((ArrayDeque<?>) nested.get(0)).clear();

    assertThat(state().get("queue")).isEqualTo(List.of(1, List.of(2)));
    assertThat(state().get("view")).isEqualTo(List.of(1));
    assertThat(state().get("nested")).isEqualTo(List.of(List.of(3)));
  }

  @Test
  default void listThatHandsOutItsOwnArrayIsCopied() {
    Object[] own = {new ArrayList<>(List.of(1)), 2};
    Object inner = own[0];
    class Careless extends AbstractList<Object> {
      @Override
      public Object get(int index) {
        return own[index];
      }

      @Override
      public int size() {
        return own.length;
      }

      @Override
      public Object[] toArray() {
        return own;
      }
    }
    state().set("list", new Careless());
    assertThat(own[0]).isSameAs(inner);
    own[1] = "changed";

    assertThat(state().get("list")).isEqualTo(List.of(List.of(1), 2));
  }

  @Test
  default void keysOfAMapAreCopiedToo() {
    List<Object> key = new ArrayList<>(List.of(1));
    int[] array = {1};
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put(key, "list");
    map.put(array, "array");
    state().set("map", map);
    key.add(2);
    array[0] = 2;
    Map<?, ?> stored = (Map<?, ?>) state().require("map");

    assertThat(stored.get(List.of(1))).isEqualTo("list");
    assertThat(stored.get(new int[] {1})).isEqualTo("array");
    assertThat(stored.get(List.of(1, 2))).isNull();
    assertThat(stored.get(new int[] {2})).isNull();
  }
}
