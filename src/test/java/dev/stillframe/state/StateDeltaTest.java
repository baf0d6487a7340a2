package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StateDeltaTest {
  private final SessionState state = SessionState.create();

  @Test
  void emptyDeltaChangesNothing() {
    assertThat(StateDelta.empty().isEmpty()).isTrue();
    assertThat(StateDelta.empty()).isEqualTo(StateDelta.builder().build());
    assertThat(StateDelta.empty().asMap()).isEmpty();
    assertThat(StateDelta.builder().remove("a").build().isEmpty()).isFalse();
    assertThat(StateDelta.builder().set("a", 1).build().isEmpty()).isFalse();
  }

  @Test
  void lastChangeToAKeyCounts() {
    StateDelta delta =
        StateDelta.builder().set("a", 1).remove("a").remove("b").set("b", 2).set("b", 3).build();

    assertThat(delta).isEqualTo(StateDelta.builder().remove("a").set("b", 3).build());
  }

  @Test
  void typedKeySetsTheSameSlot() {
    assertThat(StateDelta.builder().set(StateKey.of("n", Integer.class), 1).build())
        .isEqualTo(StateDelta.builder().set("n", 1).build());
  }

  @Test
  void deltasAreEqualIfTheirChangesAre() {
    StateDelta delta = StateDelta.builder().set("a", List.of(1)).remove("b").build();

    assertThat(StateDelta.builder().remove("b").set("a", Arrays.asList(1)).build())
        .isEqualTo(delta)
        .hasSameHashCodeAs(delta);
    assertThat(StateDelta.builder().set("a", List.of(1)).build()).isNotEqualTo(delta);
    assertThat(StateDelta.builder().set("a", List.of(2)).remove("b").build()).isNotEqualTo(delta);
    assertThat(StateDelta.builder().set("a", List.of(1)).set("b", 1).build()).isNotEqualTo(delta);
    assertThat(delta).isNotEqualTo(delta.asMap());
  }

  @Test
  void deltasWithEqualArraysAreEqual() {
    Supplier<StateDelta> delta = () -> StateDelta.builder().set("a", new int[] {1, 2}).build();

    assertThat(delta.get()).isEqualTo(delta.get()).hasSameHashCodeAs(delta.get());
  }

  @Test
  void mapShowsTheChangesInOrderWithNullForARemoval() {
    StateDelta delta = StateDelta.builder().set("c", 1).remove("a").set("b", 2).build();

    assertThat(delta.asMap().keySet()).containsExactly("c", "a", "b");
    assertThat(delta.asMap()).containsEntry("a", null).containsEntry("c", 1).hasSize(3);
    assertThat(delta).hasToString("{c=1, a=null, b=2}");
    assertThatThrownBy(() -> delta.asMap().put("d", 1))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void fromMapReadsBackWhatAsMapShows() {
    StateDelta delta = StateDelta.builder().set("c", List.of(1)).remove("a").set("b", 2).build();

    assertThat(StateDelta.fromMap(delta.asMap())).isEqualTo(delta);
    assertThat(StateDelta.fromMap(delta.asMap()).asMap().keySet()).containsExactly("c", "a", "b");
    assertThat(StateDelta.fromMap(Map.of())).isEqualTo(StateDelta.empty());
  }

  @Test
  void valuesAreCopiedAsTheyArePutIn() {
    List<Object> list = new ArrayList<>(List.of(1));
    int[] ints = {1};
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("list", list);
    map.put("ints", ints);
    StateDelta built = StateDelta.builder().set("list", list).set("ints", ints).build();
    StateDelta read = StateDelta.fromMap(map);

    list.add(2);
    ints[0] = 9;
    map.put("more", 1);

    for (StateDelta delta : List.of(built, read)) {
      assertThat(delta.asMap().get("list")).isEqualTo(List.of(1));
      assertThat((int[]) delta.asMap().get("ints")).containsExactly(1);
      assertThat(delta.asMap()).hasSize(2);
    }
  }

  @Test
  void arraysAreCopiedAsTheyAreRead() {
    StateDelta delta = StateDelta.builder().set("ints", new int[] {1}).build();

    ((int[]) delta.asMap().get("ints"))[0] = 9;
    ((int[]) delta.asMap().values().iterator().next())[0] = 9;
    delta.asMap().forEach((key, value) -> ((int[]) value)[0] = 9);

    assertThat((int[]) delta.asMap().get("ints")).containsExactly(1);
  }

  @Test
  void builderMayBeReusedAndWhatWasBuiltStays() {
    StateDelta.Builder builder = StateDelta.builder().set("a", 1);
    StateDelta first = builder.build();
    StateDelta second = builder.set("a", 2).remove("b").build();

    assertThat(first).isEqualTo(StateDelta.builder().set("a", 1).build());
    assertThat(second).isEqualTo(StateDelta.builder().set("a", 2).remove("b").build());
  }

  @Test
  void nullsAreRefused() {
    StateDelta.Builder builder = StateDelta.builder();

    assertThatNullPointerException()
        .isThrownBy(() -> builder.set("a", null))
        .withMessageContainingAll("'a'", "use remove");
    assertThatNullPointerException().isThrownBy(() -> builder.set((String) null, 1));
    assertThatNullPointerException().isThrownBy(() -> builder.remove(null));
    assertThatNullPointerException()
        .isThrownBy(() -> StateDelta.fromMap(Collections.singletonMap(null, 1)));
    assertThatNullPointerException().isThrownBy(() -> StateDelta.fromMap(null));
    assertThatNullPointerException().isThrownBy(() -> StateDelta.empty().then(null));
    assertThat(builder.build()).isEqualTo(StateDelta.empty());
    builder.remove("a");
    assertThatNullPointerException().isThrownBy(() -> builder.build().inverseOn(null));
    assertThatNullPointerException().isThrownBy(() -> StateDelta.empty().inverseOn(null));
  }

  @Test
  void valueThatContainsItselfIsRefusedWithItsKey() {
    Map<String, Object> map = new HashMap<>();
    map.put("self", map);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> StateDelta.fromMap(Map.of("profile", map)))
        .withMessageContaining("'profile'");
  }

  @Test
  void ofTwoDeltasInARowTheSecondDecides() {
    StateDelta first = StateDelta.builder().set("a", 1).set("b", 1).remove("c").build();
    StateDelta second = StateDelta.builder().set("a", 2).remove("b").set("c", 2).build();

    assertThat(first.then(second))
        .isEqualTo(StateDelta.builder().set("a", 2).remove("b").set("c", 2).build());
    assertThat(second.then(first)).isEqualTo(first);
    assertThat(first.then(StateDelta.empty())).isEqualTo(first);
    assertThat(StateDelta.empty().then(first)).isEqualTo(first);
    assertThat(first.asMap()).containsEntry("a", 1);
  }

  @Test
  void inverseLeadsBackToTheSnapshot() {
    state.set("changed", 1);
    state.set("removed", List.of(2));
    state.set("untouched", 3);
    StateSnapshot before = state.all();
    StateDelta delta =
        StateDelta.builder().set("changed", 9).remove("removed").set("added", 9).build();
    StateDelta inverse = delta.inverseOn(before);

    state.apply(delta);
    state.set("other", 5);
    state.apply(inverse);

    assertThat(inverse)
        .isEqualTo(
            StateDelta.builder()
                .set("changed", 1)
                .set("removed", List.of(2))
                .remove("added")
                .build());
    assertThat(state.all().deltaFrom(before))
        .isEqualTo(StateDelta.builder().set("other", 5).build());
  }

  @Test
  void deltaOfAStateThatKeepsReferencesIsACopyToo() {
    SessionState byReference = SessionState.builder().valuesByReference().build();
    StateSnapshot empty = byReference.all();
    List<Object> list = new ArrayList<>(List.of(1));
    byReference.set("list", list);
    StateSnapshot full = byReference.all();

    StateDelta difference = full.deltaFrom(empty);
    StateDelta inverse = StateDelta.builder().remove("list").build().inverseOn(full);
    list.add(2);

    assertThat(difference.asMap().get("list")).isEqualTo(List.of(1));
    assertThat(inverse.asMap().get("list")).isEqualTo(List.of(1));
  }
}
