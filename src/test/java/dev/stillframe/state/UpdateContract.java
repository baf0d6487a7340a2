package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** {@code update} in one thread, its function using the same state included (S5). */
interface UpdateContract extends StateContract {

  @Test
  default void updateReturnsTheNewValue() {
    assertThat(state().update("n", old -> old == null ? 1 : (Integer) old + 1)).isEqualTo(1);
    assertThat(state().update("n", old -> old == null ? 1 : (Integer) old + 1)).isEqualTo(2);
    assertThat(state().get("n")).isEqualTo(2);
  }

  @Test
  default void updateOfAnAbsentKeyToNullLeavesItAbsent() {
    assertThat(state().update("a", old -> null)).isNull();
    assertThat(state().size()).isZero();
  }

  @Test
  default void updateThatThrowsChangesNothing() {
    state().set("a", 1);
    for (Throwable failure : List.of(new IllegalStateException("no"), new AssertionError("no"))) {
      assertThatThrownBy(() -> state().update("a", old -> sneak(failure))).isSameAs(failure);
      assertThatThrownBy(() -> state().update("absent", old -> sneak(failure))).isSameAs(failure);
      assertThatThrownBy(() -> state().asMap().compute("a", (key, old) -> sneak(failure)))
          .isSameAs(failure);
      assertThatThrownBy(() -> state().asMap().merge("a", 2, (old, value) -> sneak(failure)))
          .isSameAs(failure);
    }

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1));
    assertThat(state().update("a", old -> (Integer) old + 1)).isEqualTo(2);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> Object sneak(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  default void updateToAValueThatCannotBeStoredChangesNothing() {
    if (kind().copiesValues()) {
      state().set("a", 1);
      List<Object> selfContaining = new ArrayList<>();
      selfContaining.add(selfContaining);

      assertThatThrownBy(() -> state().update("a", old -> selfContaining))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(state().get("a")).isEqualTo(1);
    }
  }

  @Test
  default void updateRunsAgainWhenTheKeyWasChangedMeanwhile() {
    state().set("n", 1);
    List<Object> seen = new ArrayList<>();

    Object result =
        state()
            .update(
                "n",
                old -> {
                  seen.add(old);
                  if (seen.size() == 1) {
                    state().set("n", 10);
                  }
                  return (Integer) old + 1;
                });

    assertThat(seen).containsExactly(1, 10);
    assertThat(result).isEqualTo(11);
    assertThat(state().get("n")).isEqualTo(11);
  }

  @Test
  default void updateRunsAgainWhenTheKeyWasRemovedMeanwhile() {
    state().set("n", 1);
    List<Object> seen = new ArrayList<>();

    Object result =
        state()
            .update(
                "n",
                old -> {
                  seen.add(old);
                  state().remove("n");
                  return "new";
                });

    assertThat(seen).containsExactly(1, null);
    assertThat(result).isEqualTo("new");
    assertThat(state().all().asMap()).isEqualTo(Map.of("n", "new"));
  }

  @Test
  default void updateRunsAgainWhenTheStateWasClearedMeanwhile() {
    state().set("n", 1);
    List<Object> seen = new ArrayList<>();

    state()
        .update(
            "n",
            old -> {
              seen.add(old);
              state().clear();
              return "new";
            });

    assertThat(seen).containsExactly(1, null);
    assertThat(state().all().asMap()).isEqualTo(Map.of("n", "new"));
  }

  @Test
  default void functionMayUpdateTheSameKey() {
    state().set("n", 0);
    AtomicInteger inner = new AtomicInteger();

    Object result =
        state()
            .update(
                "n",
                old -> {
                  if (inner.incrementAndGet() <= 3) {
                    state().update("n", same -> (Integer) same + 10);
                  }
                  return (Integer) old + 1;
                });

    assertThat(result).isEqualTo(31);
    assertThat(state().get("n")).isEqualTo(31);
  }

  @Test
  default void functionMayUseOtherKeys() {
    state().set("b", 5);

    state()
        .update(
            "a",
            old -> {
              state().update("b", b -> (Integer) b + 1);
              state().set("c", state().size());
              state().apply(StateDelta.builder().set("d", 1).remove("e").build());
              state().remove("e");
              return state().require("b");
            });

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 6, "b", 6, "c", 1, "d", 1));
  }

  @Test
  default void functionMayUseKeysOfTheSameBinWhileTheMapGrows() {
    List<String> keys = SameHash.keys(256);

    state().update(keys.get(0), old -> chain(keys, 1));

    assertThat(state().get(keys.get(0))).isEqualTo(255);
    assertThat(state().size()).isEqualTo(256);

    state()
        .update(
            keys.get(0),
            old -> {
              keys.subList(1, 256).forEach(state()::remove);
              return "alone";
            });
    assertThat(state().all().asMap()).isEqualTo(Map.of(keys.get(0), "alone"));
  }

  private Object chain(List<String> keys, int next) {
    return next == keys.size()
        ? 0
        : (Integer) state().update(keys.get(next), old -> chain(keys, next + 1)) + 1;
  }

  @Test
  default void equalResultIsStoredAsGiven() {
    state().set("list", Arrays.asList(1, 2));

    assertThat(state().update("list", old -> old)).isEqualTo(List.of(1, 2));
    assertThat(state().get("list")).isEqualTo(List.of(1, 2));
  }

  @Test
  default void functionThatWritesItsOwnKeyEachTimeIsRefused() {
    AtomicInteger next = new AtomicInteger(1_000);
    Map<String, Consumer<Integer>> writes =
        Map.of(
            "set",
            value -> state().set("a", value),
            "update",
            value -> state().update("a", old -> value),
            "apply",
            value -> state().apply(StateDelta.builder().set("a", value).build()),
            "draft",
            this::writeByDraft,
            "setIfAbsent",
            this::removeAndSet,
            "putIfAbsent",
            this::clearAndPut);
    writes.forEach(
        (name, write) -> {
          state().set("a", 1);
          UnaryOperator<Object> function =
              old -> {
                write.accept(next.incrementAndGet());
                return "of the function";
              };
          assertThatThrownBy(() -> state().update("a", function))
              .as(name)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("'a'");
          assertThatThrownBy(() -> state().asMap().compute("a", (key, old) -> function.apply(old)))
              .as(name)
              .isInstanceOf(IllegalStateException.class);
          assertThat(state().get("a")).as(name).isNotEqualTo("of the function");

          write.accept(next.incrementAndGet()); // outside an update it is nothing special
          assertThat(state().update("a", old -> 2)).isEqualTo(2);
        });
  }

  private void writeByDraft(Integer value) {
    StateDraft draft = state().draft();
    draft.set("a", value);
    draft.commit();
  }

  private void removeAndSet(Integer value) {
    state().remove("a");
    state().setIfAbsent("a", value);
  }

  private void clearAndPut(Integer value) {
    state().clear();
    state().asMap().putIfAbsent("a", value);
  }

  @Test
  default void functionMayWriteOtherKeysAndItsOwnOnce() {
    state().set("a", 1);
    int[] runs = new int[1];
    state()
        .update(
            "a",
            old -> {
              state().update("b", b -> b == null ? 1 : (Integer) b + 1);
              if (runs[0]++ == 0) {
                state().set("a", 5);
              }
              return (Integer) old + 1;
            });

    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 6, "b", 2));
  }
}
