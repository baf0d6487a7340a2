package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Writing several keys with {@code apply}. */
interface DeltaContract extends StateContract {

  @Test
  default void applySetsAndRemoves() {
    state().set("a", 1);
    state().set("pending", true);
    state().set("untouched", 0);

    state().apply(StateDelta.builder().set("a", 2).set("b", 3).remove("pending").build());

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 2, "b", 3, "untouched", 0));
  }

  @Test
  default void applyOfAnEmptyDeltaChangesNothing() {
    state().set("a", 1);

    state().apply(StateDelta.empty());
    state().apply(StateDelta.builder().build());

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void applyRemovesAbsentKeysSilently() {
    state().apply(StateDelta.builder().remove("a").remove("b").build());

    assertThat(state().size()).isZero();
    assertThat(state().keys()).isEmpty();
    assertThat(state().set("a", 1)).isNull();
  }

  @Test
  default void applyTwiceIsAsApplyOnce() {
    StateDelta delta = StateDelta.builder().set("a", 1).remove("b").build();
    state().set("b", 2);

    state().apply(delta);
    state().apply(delta);

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void applyTakesManyKeysInAnyOrder() {
    StateDelta.Builder builder = StateDelta.builder();
    for (int i = 500; i > 0; i--) {
      builder.set("k" + i * 7 % 501, i);
    }
    state().apply(builder.build());

    assertThat(state().size()).isEqualTo(500);
    assertThat(state().get("k7")).isEqualTo(1);
  }

  @Test
  default void removedWholesaleTheKeysAreGone() {
    StateDelta.Builder all = StateDelta.builder();
    StateDelta.Builder none = StateDelta.builder();
    for (int i = 0; i < 1_000; i++) {
      all.set("k" + i, i);
      none.remove("k" + i);
    }
    state().apply(all.build());
    state().apply(none.build());

    assertThat(state().size()).isZero();
    assertThat(state().setIfAbsent("k1", "again")).isNull();
    assertThat(state().all().asMap()).isEqualTo(Map.of("k1", "again"));
  }

  @Test
  default void deltaBetweenSnapshotsLeadsFromOneToTheOther() {
    state().set("a", 1);
    state().set("b", 2);
    StateSnapshot before = state().all();
    state().set("a", 10);
    state().remove("b");
    state().set("c", 3);
    StateSnapshot after = state().all();

    assertThat(after.deltaFrom(before))
        .isEqualTo(StateDelta.builder().set("a", 10).remove("b").set("c", 3).build());
    state().apply(before.deltaFrom(after));
    assertThat(state().all()).isEqualTo(before);
    state().apply(after.deltaFrom(before));
    assertThat(state().all()).isEqualTo(after);
  }
}
