package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The collections and iterators of the map that {@code asMap()} returns. */
interface MapViewCollectionsContract extends StateContract {

  private Map<String, Object> content() {
    return state().all().asMap();
  }

  private void fill() {
    state().asMap().putAll(Map.of("a", 1, "b", 2, "c", 3));
  }

  @Test
  default void iteratorWalksASnapshot() {
    fill();
    Iterator<Map.Entry<String, Object>> iterator = state().asMap().entrySet().iterator();
    state().clear();
    state().set("d", 4);

    assertThat(iterator).toIterable().extracting(Map.Entry::getKey).hasSize(3).doesNotContain("d");
    assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  default void iteratorRemoves() {
    fill();
    for (Iterator<String> keys = state().asMap().keySet().iterator(); keys.hasNext(); ) {
      if (!keys.next().equals("b")) {
        keys.remove();
      }
    }
    assertThat(content()).isEqualTo(Map.of("b", 2));
  }

  @Test
  default void iteratorRemovesOnlyAfterANext() {
    fill();
    Iterator<Object> iterator = state().asMap().values().iterator();

    assertThatIllegalStateException().isThrownBy(iterator::remove);
    iterator.next();
    iterator.remove();
    assertThatIllegalStateException().isThrownBy(iterator::remove);
    assertThat(state().size()).isEqualTo(2);
  }

  @Test
  default void iteratorLeavesAnEntryThatHasChanged() {
    state().set("a", 1);
    Iterator<Map.Entry<String, Object>> iterator = state().asMap().entrySet().iterator();
    iterator.next();
    state().set("a", 2);
    iterator.remove();

    assertThat(content()).isEqualTo(Map.of("a", 2));
  }

  @Test
  default void entryWritesThrough() {
    state().set("a", 1);
    Iterator<Map.Entry<String, Object>> iterator = state().asMap().entrySet().iterator();
    Map.Entry<String, Object> entry = iterator.next();

    assertThat(entry.setValue(2)).isEqualTo(1);
    assertThat(entry.getValue()).isEqualTo(2);
    assertThat(state().get("a")).isEqualTo(2);
    iterator.remove();
    assertThat(state().contains("a")).isFalse();
  }

  @Test
  default void keySetIsLive() {
    Set<String> keys = state().asMap().keySet();
    fill();

    assertThat(keys.size()).isEqualTo(3);
    assertThat(keys.contains("a")).isTrue();
    assertThat(keys.contains("z")).isFalse();
    assertThat(keys.remove("a")).isTrue();
    assertThat(keys.remove("a")).isFalse();
    assertThat(keys.removeAll(Set.of("b", "z"))).isTrue();
    assertThat(content()).isEqualTo(Map.of("c", 3));
    assertThatThrownBy(() -> keys.add("x")).isInstanceOf(UnsupportedOperationException.class);
    keys.clear();
    assertThat(content()).isEmpty();
  }

  @Test
  default void keySetRetains() {
    fill();

    assertThat(state().asMap().keySet().retainAll(Set.of("a", "b"))).isTrue();
    assertThat(state().asMap().keySet().retainAll(Set.of("a", "b"))).isFalse();
    assertThat(state().asMap().keySet()).isEqualTo(Set.of("a", "b"));
    assertThat(content()).isEqualTo(Map.of("a", 1, "b", 2));
  }

  @Test
  default void valuesAreLive() {
    fill();

    assertThat(state().asMap().values().contains(2)).isTrue();
    assertThat(state().asMap().values().remove(2)).isTrue();
    assertThat(state().asMap().values().remove(2)).isFalse();
    assertThat(state().asMap().values().removeIf(value -> value.equals(3))).isTrue();
    assertThat(content()).isEqualTo(Map.of("a", 1));
    state().asMap().values().clear();
    assertThat(content()).isEmpty();
  }

  @Test
  default void entrySetIsLive() {
    fill();
    Set<Map.Entry<String, Object>> entries = state().asMap().entrySet();

    assertThat(entries.size()).isEqualTo(3);
    assertThat(entries.contains(Map.entry("a", 1))).isTrue();
    assertThat(entries.contains(Map.entry("a", 2))).isFalse();
    assertThat(entries.contains(Map.entry(1, 1))).isFalse();
    assertThat(entries.contains("a")).isFalse();
    assertThat(entries.remove(Map.entry("a", 2))).isFalse();
    assertThat(entries.remove(Map.entry("a", 1))).isTrue();
    assertThat(entries.remove("b")).isFalse();
    assertThat(entries).isEqualTo(Map.of("b", 2, "c", 3).entrySet());
    entries.clear();
    assertThat(content()).isEmpty();
  }

  @Test
  default void removeIfRemovesWhatMatches() {
    fill();

    assertThat(state().asMap().entrySet().removeIf(e -> (Integer) e.getValue() > 1)).isTrue();
    assertThat(state().asMap().entrySet().removeIf(e -> (Integer) e.getValue() > 1)).isFalse();
    assertThat(content()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void removeIfLeavesWhatChangedAfterItWasLookedAt() {
    state().set("a", 1);

    state()
        .asMap()
        .entrySet()
        .removeIf(
            entry -> {
              state().set(entry.getKey(), "changed");
              return true;
            });

    assertThat(content()).isEqualTo(Map.of("a", "changed"));
  }

  @Test
  default void retainAllLeavesWhatChangedAfterItWasLookedAt() {
    state().set("a", 1);
    List<Object> changesWhenAsked =
        new ArrayList<>() {
          @Override
          public boolean contains(Object value) {
            state().set("a", "changed");
            return false;
          }
        };

    state().asMap().values().retainAll(changesWhenAsked);

    assertThat(content()).isEqualTo(Map.of("a", "changed"));
  }

  @Test
  default void keySetRemovesAKeyWhateverItsValueIsNow() {
    fill();
    Iterator<String> keys = state().asMap().keySet().iterator();
    String first = keys.next();
    state().set(first, "changed");
    keys.remove();
    assertThat(state().contains(first)).isFalse();
    assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);

    List<String> all = List.copyOf(state().keys());
    state().asMap().keySet().removeIf(key -> state().set(key, "changed") != null);
    assertThat(state().keys()).doesNotContainAnyElementsOf(all);
  }
}
