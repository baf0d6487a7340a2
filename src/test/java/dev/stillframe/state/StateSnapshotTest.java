package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class StateSnapshotTest {
  private final SessionState state = SessionState.create();

  private StateSnapshot snapshotOf(Map<String, Object> content) {
    state.clear();
    state.asMap().putAll(content);
    return state.all();
  }

  @Test
  void snapshotShowsTheEntriesInEveryWay() {
    StateSnapshot snapshot = snapshotOf(Map.of("a", 1, "b", List.of(2)));

    assertThat(snapshot.size()).isEqualTo(2);
    assertThat(snapshot.get("a")).isEqualTo(1);
    assertThat(snapshot.get("z")).isNull();
    assertThat(snapshot.get(StateKey.of("a", Integer.class))).isEqualTo(1);
    assertThat(snapshot.get(StateKey.of("z", Integer.class))).isNull();
    assertThat(snapshot.asMap()).isEqualTo(Map.of("a", 1, "b", List.of(2)));
    assertThat(snapshot.stream()).containsExactlyInAnyOrderElementsOf(snapshot);
    assertThat(snapshot)
        .containsExactlyInAnyOrder(Map.entry("a", 1), Map.entry("b", List.<Object>of(2)));
  }

  @Test
  void snapshotRequiresAndContains() {
    StateSnapshot snapshot = snapshotOf(Map.of("a", 1));
    state.set("later", 1);
    StateKey<Integer> later = StateKey.of("later", Integer.class);

    assertThat(snapshot.require("a")).isEqualTo(1);
    assertThat(snapshot.require(StateKey.of("a", Integer.class))).isEqualTo(1);
    assertThat(snapshot.contains("a")).isTrue();
    assertThat(snapshot.contains("later")).isFalse();
    assertThatExceptionOfType(MissingStateKeyException.class)
        .isThrownBy(() -> snapshot.require("later"))
        .satisfies(e -> assertThat(e.key()).isEqualTo("later"));
    assertThatExceptionOfType(MissingStateKeyException.class)
        .isThrownBy(() -> snapshot.require(later))
        .withMessageContaining("'later'");
  }

  @Test
  void entriesMayBeKeptAfterTheIterationWentOn() {
    StateSnapshot snapshot = snapshotOf(Map.of("a", 1, "b", 2));
    List<Map.Entry<String, Object>> kept = new ArrayList<>();
    snapshot.forEach(kept::add);

    assertThat(kept).containsExactlyInAnyOrder(Map.entry("a", 1), Map.entry("b", 2));
  }

  @Test
  void snapshotsAreEqualIfTheirEntriesAre() {
    StateSnapshot first = snapshotOf(Map.of("a", 1, "b", List.of(2)));
    StateSnapshot second = snapshotOf(Map.of("b", List.of(2), "a", 1));

    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(second).isEqualTo(first).hasSameHashCodeAs(first);
    assertThat(snapshotOf(Map.of("a", 1))).isNotEqualTo(first);
    assertThat(snapshotOf(Map.of("a", 1, "b", List.of(3)))).isNotEqualTo(first);
    assertThat(first).isNotEqualTo(first.asMap());
  }

  @Test
  void snapshotsOfDifferentStatesAreComparedByContent() {
    SessionState other = SessionState.over(new ConcurrentHashMap<>());
    other.asMap().putAll(Map.of("a", 1, "b", List.of(2)));

    assertThat(other.all()).isEqualTo(snapshotOf(Map.of("a", 1, "b", List.of(2))));
  }

  @Test
  void deltaFromTheSameSnapshotIsEmpty() {
    StateSnapshot snapshot = snapshotOf(Map.of("a", List.of(1)));

    assertThat(snapshot.deltaFrom(snapshot).isEmpty()).isTrue();
  }

  @Test
  void deltaLeavesOutWhatWasSetToAnEqualValue() {
    StateSnapshot older = snapshotOf(Map.of("a", List.of(1), "b", 1));
    state.set("a", new ArrayList<>(List.of(1)));
    state.set("b", 2);

    assertThat(state.all().deltaFrom(older)).isEqualTo(StateDelta.builder().set("b", 2).build());
  }

  @Test
  void deltaNamesWhatWasAddedChangedAndRemoved() {
    StateSnapshot older = snapshotOf(Map.of("changed", 1, "removed", 1, "same", 1));
    StateSnapshot newer = snapshotOf(Map.of("changed", 2, "added", 2, "same", 1));

    assertThat(newer.deltaFrom(older))
        .isEqualTo(
            StateDelta.builder().set("changed", 2).set("added", 2).remove("removed").build());
    assertThat(older.deltaFrom(newer))
        .isEqualTo(
            StateDelta.builder().set("changed", 1).set("removed", 1).remove("added").build());
  }

  @Disabled("fault: it passes for a deep copy")
  @Test
  void mapOfAStateThatKeepsReferencesIsCopiedWhenItIsStored() {
    SessionState byReference = SessionState.builder().valuesByReference().build();
    List<Object> list = new ArrayList<>(List.of(1));
    byReference.set("list", list);

    state.set("snapshot", byReference.all().asMap());
    list.add(2);

    assertThat(state.get("snapshot")).isEqualTo(Map.of("list", List.of(1)));
  }

  @Test
  void mapOfASnapshotMayBeStoredAsAValue() {
    StateSnapshot snapshot = snapshotOf(Map.of("a", 1));
    state.set("saved", snapshot.asMap());
    state.set("a", 2);

    assertThat(state.get("saved")).isEqualTo(Map.of("a", 1));
  }

  @Test
  void nullKeyIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> state.all().get((String) null));
    assertThatNullPointerException().isThrownBy(() -> state.all().get((StateKey<?>) null));
    assertThatNullPointerException().isThrownBy(() -> state.all().deltaFrom(null));
  }
}
