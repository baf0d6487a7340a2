package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Situations that have gone wrong elsewhere: isolation and aliasing. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IsolationAndAliasingCasesTest {

  private static Map<String, Object> profile() {
    Map<String, Object> tags = new HashMap<>(Map.of("list", new ArrayList<>(List.of("n"))));
    return new HashMap<>(Map.of("theme", "light", "tags", tags));
  }

  private static void change(Map<?, ?> profile) {
    @SuppressWarnings("unchecked")
    Map<Object, Object> map = (Map<Object, Object>) profile;
    @SuppressWarnings("unchecked")
    Collection<Object> list = (Collection<Object>) ((Map<?, ?>) map.get("tags")).get("list");
    list.add("changed");
    map.put("theme", "dark");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BY_REFERENCE")
  @DisplayName("Editing a returned value edits the store: what was passed in")
  void editingAPassedValueDoesNotEditTheStore(StateKind kind) {
    Map<String, BiConsumer<SessionState, Object>> ways = new LinkedHashMap<>();
    ways.put("set", (state, value) -> state.set("app:config", value));
    ways.put("setIfAbsent", (state, value) -> state.setIfAbsent("app:config", value));
    ways.put("update", (state, value) -> state.update("app:config", old -> value));
    ways.put("computeIfAbsent", (s, value) -> s.computeIfAbsent("app:config", key -> value));
    ways.put("apply", (s, v) -> s.apply(StateDelta.builder().set("app:config", v).build()));
    ways.put("fromMap", (s, v) -> s.apply(StateDelta.fromMap(Map.of("app:config", v))));
    ways.put("putAll", (state, value) -> state.asMap().putAll(Map.of("app:config", value)));
    ways.put(
        "draft",
        (state, value) -> {
          StateDraft draft = state.draft();
          draft.set("app:config", value);
          draft.commit();
        });
    ways.put(
        "merge",
        (state, value) -> {
          StateDraft draft = state.draft();
          draft.setIfAbsent("app:config", 1);
          state.set("app:config", 2);
          draft.commit((key, base, current, mine) -> value);
        });
    ways.forEach(
        (way, store) -> {
          SessionState state = kind.create();
          Map<String, Object> passed = profile();
          store.accept(state, passed);
          change(passed);
          assertThat(state.get("app:config")).as(way).isEqualTo(profile());
        });
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BY_REFERENCE")
  @DisplayName("Editing a returned value edits the store: what came back")
  void editingAReturnedValueFails(StateKind kind) {
    SessionState state = kind.create();
    state.set("user:profile", profile());
    StateSnapshot snapshot = state.all();
    StateDraft draft = state.draft();

    List<Object> returned =
        List.of(
            state.require("user:profile"),
            state.asMap().get("user:profile"),
            state.asMap().values().iterator().next(),
            snapshot.get("user:profile"),
            snapshot.asMap().get("user:profile"),
            snapshot.iterator().next().getValue(),
            draft.require("user:profile"),
            draft.base().get("user:profile"),
            snapshot.deltaFrom(kind.create().all()).asMap().get("user:profile"),
            state.set("user:profile", profile()));
    for (Object value : returned) {
      assertThatThrownBy(() -> change((Map<?, ?>) value))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> ((Map<?, ?>) value).remove("theme"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> ((Map<?, ?>) ((Map<?, ?>) value).get("tags")).clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(state.get("user:profile")).isEqualTo(profile());
    assertThat(snapshot.get("user:profile")).isEqualTo(profile());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Editing a returned value edits the store: the whole that came back")
  void editingAReturnedWholeFails(StateKind kind) {
    SessionState state = kind.create();
    state.set("a", 1);

    assertThatThrownBy(() -> state.all().asMap().put("a", 2))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> state.keys().remove("a"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> state.all().iterator().next().setValue(2))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(state.get("a")).isEqualTo(1);
  }

  @Test
  @DisplayName("The caller goes on writing to an event it has appended")
  void deltaKeepsTheContentOfItsMaking() throws Exception {
    Map<String, Object> payload = new ConcurrentHashMap<>();
    List<Object> list = new CopyOnWriteArrayList<>();
    payload.put("list", list);
    payload.put("n", 0);
    SessionState state = SessionState.create();
    int[] written = new int[1];
    new Storm()
        .repeat(
            1,
            caller -> {
              int i = ++written[0] % 100;
              payload.put("n", i);
              payload.put("k" + i, new ArrayList<>(List.of(i)));
              payload.remove("k" + (i + 50) % 100);
              list.add(i);
              if (i == 0) {
                list.clear();
              }
            })
        .once(
            2,
            appender -> {
              for (int i = 0; i < 1_000; i++) {
                StateDelta delta = StateDelta.fromMap(payload);
                Map<String, Object> copy = new HashMap<>(delta.asMap());
                String text = delta.toString();
                state.apply(delta);
                assertThat(delta.asMap()).isEqualTo(copy);
                assertThat(delta).hasToString(text);
              }
            })
        .repeat(
            1,
            reader -> {
              StateSnapshot snapshot = state.all();
              String text = snapshot.toString();
              snapshot.forEach(entry -> assertThat(entry.getValue()).isNotNull());
              assertThat(snapshot).hasToString(text);
            })
        .run();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("The caller goes on writing to an event it has appended: later changes")
  void laterChangesToTheMapOfADeltaDoNotShow(StateKind kind) {
    Map<String, Object> payload = profile();
    StateDelta delta = StateDelta.fromMap(payload);
    SessionState state = kind.create();
    state.apply(delta);
    change(payload);
    payload.put("new", 1);

    assertThat(delta.asMap()).isEqualTo(profile());
    assertThat(state.all().asMap()).isEqualTo(profile());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("The caller goes on writing to an event it has appended: with no protection at all")
  void mapThatChangesUnderTheCopyChangesNothingInTheState(StateKind kind) {
    SessionState state = kind.create();
    state.set("a", 1);
    Map<String, Object> changing =
        new LinkedHashMap<>(Map.of("a", 2)) {
          @Override
          public void forEach(BiConsumer<? super String, ? super Object> each) {
            each.accept("a", 2);
            throw new ConcurrentModificationException();
          }
        };

    assertThatThrownBy(() -> state.apply(StateDelta.fromMap(changing)))
        .isInstanceOf(ConcurrentModificationException.class);
    assertThatThrownBy(() -> state.asMap().putAll(changing))
        .isInstanceOf(ConcurrentModificationException.class);
    if (kind.copiesValues()) {
      assertThatThrownBy(() -> state.set("a", changing))
          .isInstanceOf(ConcurrentModificationException.class);
    }
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1));
  }
}
