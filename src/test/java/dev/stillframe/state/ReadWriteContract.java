package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.StillframeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reading and writing single keys, bare and typed. */
interface ReadWriteContract extends StateContract {
  StateKey<Integer> ATTEMPTS = StateKey.of("attempts", Integer.class);

  @Test
  default void newStateIsEmpty() {
    assertThat(state().size()).isZero();
    assertThat(state().keys()).isEmpty();
    assertThat(state().all()).isEmpty();
    assertThat(state().asMap()).isEmpty();
    assertThat(state().get("a")).isNull();
    assertThat(state().contains("a")).isFalse();
    assertThat(state()).hasToString("{}");
  }

  @Test
  default void setReturnsWhatWasThere() {
    assertThat(state().set("a", 1)).isNull();
    assertThat(state().set("a", 2)).isEqualTo(1);
    assertThat(state().get("a")).isEqualTo(2);
    assertThat(state().size()).isEqualTo(1);
  }

  @Test
  default void keysAreCountedAndListed() {
    state().set("a", 1);
    state().set("b", 2);
    state().set("a", 3);

    assertThat(state().size()).isEqualTo(2);
    assertThat(state().keys()).containsExactlyInAnyOrder("a", "b");
    assertThat(state().contains("a")).isTrue();
    assertThat(state().contains("c")).isFalse();
  }

  @Test
  default void keysStayAsTheyWereAndCannotBeChanged() {
    state().set("a", 1);

    Set<String> keys = state().keys();
    state().set("b", 2);
    state().remove("a");

    assertThat(keys).containsExactly("a");
    assertThat(keys.contains("a")).isTrue();
    assertThatThrownBy(() -> keys.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> keys.add("c")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  default void removeReturnsWhatWasThere() {
    state().set("a", 1);

    assertThat(state().remove("a")).isEqualTo(1);
    assertThat(state().remove("a")).isNull();
    assertThat(state().contains("a")).isFalse();
    assertThat(state().size()).isZero();
  }

  @Test
  default void removedKeyCanBeSetAgain() {
    state().set("a", 1);
    state().remove("a");

    assertThat(state().set("a", 2)).isNull();
    assertThat(state().get("a")).isEqualTo(2);
  }

  @Test
  default void clearRemovesAllKeys() {
    state().set("a", 1);
    state().set("b", 2);

    state().clear();

    assertThat(state().size()).isZero();
    assertThat(state().get("a")).isNull();
    assertThat(state().set("a", 3)).isNull();
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 3));
  }

  @Test
  default void getOrDefaultStoresNothing() {
    assertThat(state().getOrDefault("a", 7)).isEqualTo(7);
    assertThat(state().contains("a")).isFalse();

    state().set("a", 1);
    assertThat(state().getOrDefault("a", 7)).isEqualTo(1);
  }

  @Test
  default void requireOfAnAbsentKeyNamesIt() {
    state().set("a", 1);

    assertThat(state().require("a")).isEqualTo(1);
    assertThatExceptionOfType(MissingStateKeyException.class)
        .isThrownBy(() -> state().require("origin"))
        .withMessageContaining("'origin'")
        .satisfies(e -> assertThat(e.key()).isEqualTo("origin"))
        .isInstanceOf(StillframeException.class);
  }

  @Test
  default void typedKeyNamesTheSameSlotAsItsBareName() {
    assertThat(state().set(ATTEMPTS, 1)).isNull();

    Integer typed = state().get(ATTEMPTS);
    assertThat(typed).isEqualTo(1);
    assertThat(state().get("attempts")).isEqualTo(1);
    assertThat(state().set("attempts", 2)).isEqualTo(1);
    int required = state().require(ATTEMPTS);
    assertThat(required).isEqualTo(2);
    assertThat(state().all().get(ATTEMPTS)).isEqualTo(2);
  }

  @Test
  default void typedKeyHasADefaultAndCanBeUpdated() {
    int missing = state().getOrDefault(ATTEMPTS, 7);
    assertThat(missing).isEqualTo(7);
    assertThat(state().contains("attempts")).isFalse();

    Integer updated = state().update(ATTEMPTS, old -> old == null ? 1 : old + 1);
    assertThat(updated).isEqualTo(1);
    assertThat(state().update(ATTEMPTS, old -> old + 1)).isEqualTo(2);
    assertThat(state().getOrDefault(ATTEMPTS, 7)).isEqualTo(2);
    assertThat(state().update(ATTEMPTS, old -> null)).isNull();
    assertThat(state().contains("attempts")).isFalse();
  }

  @Test
  default void typedKeyOfAnAbsentKeyIsNullOrMissing() {
    assertThat(state().get(ATTEMPTS)).isNull();
    assertThatExceptionOfType(MissingStateKeyException.class)
        .isThrownBy(() -> state().require(ATTEMPTS))
        .withMessageContaining("'attempts'")
        .satisfies(e -> assertThat(e.key()).isEqualTo("attempts"));
  }

  @Test
  default void valueOfAnotherTypeIsReportedWithKeyAndTypes() {
    state().set("attempts", "three");

    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> state().get(ATTEMPTS))
        .withMessageContainingAll("'attempts'", "java.lang.Integer", "java.lang.String");
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> state().require(ATTEMPTS))
        .withMessageContaining("'attempts'");
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> state().all().get(ATTEMPTS))
        .withMessageContaining("'attempts'");
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> state().getOrDefault(ATTEMPTS, 7))
        .withMessageContaining("'attempts'");
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> state().update(ATTEMPTS, old -> 1))
        .withMessageContaining("'attempts'");
    assertThat(state().get("attempts")).isEqualTo("three");
  }

  @Test
  default void keysAreComparedExactly() {
    List<String> keys =
        List.of("", " ", "a", "A", "a ", "\u00e9", "e\u0301", "a\u0000", "\ud83d\ude00", "app:a");
    keys.forEach(key -> state().set(key, "value of " + key));

    assertThat(state().keys()).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(keys).allSatisfy(k -> assertThat(state().get(k)).isEqualTo("value of " + k));
  }

  @Test
  default void keysOfOneHashAreKeptApart() {
    List<String> keys = SameHash.keys(64);
    keys.forEach(key -> state().set(key, key));
    keys.subList(0, 32).forEach(state()::remove);

    assertThat(state().size()).isEqualTo(32);
    assertThat(keys.subList(32, 64)).allSatisfy(k -> assertThat(state().get(k)).isEqualTo(k));
    assertThat(keys.subList(0, 32)).noneMatch(state()::contains);
  }

  @Test
  default void textShowsKeysAndValues() {
    state().set("a", List.of(1, 2));

    assertThat(state()).hasToString("{a=[1, 2]}");
    assertThat(state().all()).hasToString("{a=[1, 2]}");
  }

  @Test
  default void typedKeyTakesOnlyWhatItCanGiveBack() {
    if (!kind().copiesValues()) {
      return;
    }
    @SuppressWarnings("rawtypes")
    StateKey<ArrayList> key = StateKey.of("list", ArrayList.class);
    state().set("list", "before");

    assertThatThrownBy(() -> state().set(key, new ArrayList<>()))
        .isInstanceOf(ClassCastException.class)
        .hasMessageContainingAll("'list'", "java.util.ArrayList");
    state().remove("list");
    assertThatThrownBy(() -> state().update(key, old -> new ArrayList<>()))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> StateDelta.builder().set(key, new ArrayList<>()))
        .isInstanceOf(ClassCastException.class);

    assertThat(state().size()).isZero();
  }
}
