package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code all()} returns (S4). */
interface SnapshotContract extends StateContract {

  @Test
  default void snapshotStaysAsItWas() {
    state().set("a", 1);
    state().set("b", List.of(2));

    StateSnapshot snapshot = state().all();
    state().set("a", 10);
    state().remove("b");
    state().set("c", 3);

    assertThat(snapshot.asMap()).isEqualTo(Map.of("a", 1, "b", List.of(2)));
    assertThat(snapshot.size()).isEqualTo(2);
    assertThat(snapshot.get("a")).isEqualTo(1);
    assertThat(snapshot.get("c")).isNull();
    assertThat(snapshot).extracting(Map.Entry::getKey).containsExactlyInAnyOrder("a", "b");
    state().clear();
    assertThat(snapshot.size()).isEqualTo(2);
  }

  @Test
  default void snapshotCannotBeChanged() {
    state().set("a", 1);
    StateSnapshot snapshot = state().all();
    Map<String, Object> map = snapshot.asMap();
    Iterator<Map.Entry<String, Object>> iterator = snapshot.iterator();
    Map.Entry<String, Object> entry = iterator.next();

    List<Runnable> changes =
        List.of(
            iterator::remove,
            () -> entry.setValue(2),
            () -> map.put("b", 2),
            () -> map.remove("a"),
            () -> map.clear(),
            () -> map.replaceAll((key, value) -> 2),
            () -> map.merge("a", 1, (old, value) -> 2),
            () -> map.keySet().remove("a"),
            () -> map.values().remove(1),
            () -> map.values().removeIf(value -> true),
            () -> map.entrySet().iterator().next().setValue(2),
            () -> snapshot.stream().forEach(e -> e.setValue(2)));
    for (Runnable change : changes) {
      assertThatThrownBy(change::run).isInstanceOf(UnsupportedOperationException.class);
    }

    assertThat(snapshot.asMap()).isEqualTo(Map.of("a", 1));
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void laterSnapshotHasAHigherVersion() {
    StateSnapshot first = state().all();
    state().set("a", 1);
    StateSnapshot second = state().all();
    state().clear();
    StateSnapshot third = state().all();

    assertThat(first.version()).isPositive();
    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(third.version()).isGreaterThan(second.version());
    assertThat(third).isEqualTo(first);
  }

  @Test
  default void unchangedStateGivesTheSameSnapshotAgain() {
    if (kind().reusesSnapshots()) {
      state().set("a", 1);
      StateSnapshot snapshot = state().all();

      assertThat(state().all()).isSameAs(snapshot);
      readEverything();
      failToWrite();
      assertThat(state().all()).isSameAs(snapshot);

      state().set("a", 2);
      assertThat(state().all()).isNotSameAs(snapshot).isNotEqualTo(snapshot);
    }
  }

  private void readEverything() {
    state().get("a");
    state().get("absent");
    state().size();
    state().keys();
    state().draft().set("a", 5);
    state().asMap().forEach((key, value) -> {});
  }

  private void failToWrite() {
    state().remove("absent");
    state().setIfAbsent("a", 2);
    state().replace("a", 7, 8);
    state().remove("a", 7);
    state().apply(StateDelta.empty());
    assertThatThrownBy(() -> state().set("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> state().update("a", old -> 1 / ((Integer) old - 1)))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  default void everyKindOfWriteShowsInTheNextSnapshot() {
    Map<String, Runnable> writes =
        Map.of(
            "{a=2}", () -> state().set("a", 2),
            "{a=3}", () -> state().replace("a", 1, 3),
            "{a=4}", () -> state().update("a", old -> 4),
            "{}", () -> state().remove("a"),
            "{a=6}", () -> state().apply(StateDelta.builder().set("a", 6).build()),
            "{b=7}", () -> state().apply(StateDelta.builder().set("b", 7).remove("a").build()));
    writes.forEach(
        (expected, write) -> {
          state().clear();
          state().set("a", 1);
          assertThat(state().all()).hasToString("{a=1}");
          write.run();
          assertThat(state().all()).hasToString(expected);
        });
    state().clear();
    assertThat(state().all()).isEmpty();
    state().setIfAbsent("a", 8);
    assertThat(state().all()).hasToString("{a=8}");
    state().computeIfAbsent("b", key -> 9);
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 8, "b", 9));
    state().remove("b", 9);
    assertThat(state().all()).hasToString("{a=8}");
    StateDraft draft = state().draft();
    draft.set("a", 10);
    draft.commit();
    assertThat(state().all()).hasToString("{a=10}");
  }
}
