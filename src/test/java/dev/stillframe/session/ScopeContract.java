package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.delta;
import static dev.stillframe.session.SessionContract.event;
import static dev.stillframe.session.SessionContract.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who shares which key. */
public interface ScopeContract extends SessionContract {
  SessionId SAME_USER = new SessionId(APP, USER, "s2");
  SessionId OTHER_USER = new SessionId(APP, "user-8", "s1");
  SessionId OTHER_APP = new SessionId("cooking", USER, "s1");

  private Map<String, Object> shown(SessionId id) {
    return get(id).state().all().asMap();
  }

  @Test
  default void prefixSaysWhoSharesAKey() {
    Session session = service().create(ID);
    for (SessionId id : List.of(SAME_USER, OTHER_USER, OTHER_APP)) {
      service().create(id);
    }

    session.state().apply(delta("own", 1, "user:k", 2, "app:k", 3, "temp:k", 4));

    assertThat(session.state().all().asMap())
        .isEqualTo(Map.of("own", 1, "user:k", 2, "app:k", 3, "temp:k", 4));
    assertThat(shown(ID)).isEqualTo(Map.of("own", 1, "user:k", 2, "app:k", 3));
    assertThat(shown(SAME_USER)).isEqualTo(Map.of("user:k", 2, "app:k", 3));
    assertThat(shown(OTHER_USER)).isEqualTo(Map.of("app:k", 3));
    assertThat(shown(OTHER_APP)).isEmpty();
    assertThat(get(SAME_USER).state().get("user:k")).isEqualTo(2);
    assertThat(get(OTHER_USER).state().get("user:k")).isNull();
  }

  @Test
  default void sharedKeysAreLiveInEveryHandle() {
    Session first = service().create(ID);
    Session second = fresh().get(service().create(SAME_USER).id());
    first.state().set("user:n", 1);
    second.state().update("user:n", n -> n == null ? 1 : (Integer) n + 1);
    second.append(event("e1", "app:m", 1));
    first.state().remove("app:m");

    assertThat(first.state().get("user:n")).isEqualTo(2);
    assertThat(second.state().contains("app:m")).isFalse();
  }

  @Test
  @DisplayName("Scope prefixes that nest")
  default void everyKeyHasExactlyOneScope() {
    List<String> app = List.of("app:temp:x", "app:user:x", "app:app:x", "app::x", "app: ");
    List<String> user = List.of("user:app:x", "user:temp:x", "user:x");
    List<String> temp = List.of("temp:user:x", "temp:x", "temp:app:x");
    List<String> own =
        List.of(":x", "App:x", "application", "", "app", "user", "USER:x", "x:app:", " app:x");
    StateDelta.Builder all = StateDelta.builder();
    List<String> keys = new ArrayList<>();
    List.of(app, user, temp, own).forEach(keys::addAll);
    keys.forEach(key -> all.set(key, "value of " + key));
    Session session = service().create(ID);
    for (SessionId id : List.of(SAME_USER, OTHER_USER, OTHER_APP)) {
      service().create(id);
    }

    session.append(SessionEvent.builder("agent").delta(all.build()).build());

    Map<String, Object> expected = new HashMap<>();
    assertThat(shown(OTHER_APP)).isEqualTo(expected);
    app.forEach(key -> expected.put(key, "value of " + key));
    assertThat(shown(OTHER_USER)).isEqualTo(expected);
    user.forEach(key -> expected.put(key, "value of " + key));
    assertThat(shown(SAME_USER)).isEqualTo(expected);
    own.forEach(key -> expected.put(key, "value of " + key));
    assertThat(shown(ID)).isEqualTo(expected);
    temp.forEach(key -> expected.put(key, "value of " + key));
    assertThat(session.state().all().asMap()).isEqualTo(expected);
    for (String key : keys) {
      assertThat(session.state().get(key)).isEqualTo("value of " + key);
    }
  }

  @Test
  default void barePrefixIsRefusedEverywhereAndNothingChanges() {
    Session session = service().create(ID);
    SessionState state = session.state();
    session.append(event("there"));
    for (String bare : List.of("app:", "user:", "temp:")) {
      assertThatThrownBy(() -> state.set(bare, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + bare + "'");
      assertThatThrownBy(() -> state.get(bare)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> state.apply(delta("k", 1, bare, 1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> session.append(event("e1", "k", 1, bare, 1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> session.append(event("e1", "k", 1, bare, null)))
          .isInstanceOf(IllegalArgumentException.class);
      for (SessionEvent never :
          List.of(
              event("there", bare, 1),
              SessionEvent.builder("agent").partial(true).delta(delta(bare, 1)).build())) {
        assertThatThrownBy(() -> session.append(never))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> session.append(never, 99))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
    assertThat(shown(ID)).isEmpty();
    assertThat(ids(get(ID))).containsExactly("there");
  }

  @Test
  @DisplayName("Scratch values stay in the event record")
  default void temporaryKeysLiveInTheHandleAlone() {
    Session session = service().create(ID);
    SessionEvent event = event("e1", "temp:token", "s", "keep", "yes");

    AppendResult result = session.append(event);

    assertThat(session.state().get("temp:token")).isEqualTo("s");
    assertThat(result.event().delta()).isEqualTo(delta("keep", "yes"));
    assertThat(event.delta()).isEqualTo(delta("temp:token", "s", "keep", "yes"));
    Session loaded = get(ID);
    assertThat(loaded.state().all().asMap()).isEqualTo(Map.of("keep", "yes"));
    assertThat(loaded.events().get(0).delta()).isEqualTo(delta("keep", "yes"));
    assertThat(loaded.stateAsOf("e1").asMap()).isEqualTo(Map.of("keep", "yes"));
    assertThat(service().get(ID).state().get("temp:token")).isNull();
  }

  @Test
  default void temporaryKeysOfACreationLiveInItsHandleAlone() {
    Session created = service().create(ID, Map.of("temp:a", 1, "b", 2));

    assertThat(created.state().all().asMap()).isEqualTo(Map.of("temp:a", 1, "b", 2));
    assertThat(created.initialState().asMap()).isEqualTo(Map.of("b", 2));
    assertThat(shown(ID)).isEqualTo(Map.of("b", 2));
  }

  @Test
  @DisplayName("Deleted keys come back from the other store")
  default void removedKeysAreAbsentInEveryScope() {
    Session session = service().create(ID, Map.of("k", 1, "user:k", 1, "app:k", 1));
    service().create(SAME_USER);

    session.append(event("e1", "k", null, "user:k", null, "app:k", null));

    for (SessionId id : List.of(ID, SAME_USER)) {
      SessionState state = get(id).state();
      for (String key : List.of("k", "user:k", "app:k")) {
        assertThat(state.get(key)).isNull();
        assertThat(state.contains(key)).isFalse();
        assertThat(state.asMap()).doesNotContainKey(key);
      }
      assertThat(state.size()).isZero();
    }
    assertThat(get(ID).events().get(0).delta())
        .isEqualTo(delta("k", null, "user:k", null, "app:k", null));
  }

  @Test
  default void clearEmptiesAllThatTheStateShows() {
    service().create(ID, Map.of("a", 1, "user:b", 1, "app:c", 1));
    service().create(OTHER_APP, Map.of("app:c", 1));
    SessionState state = service().get(ID).state();
    state.set("temp:d", 1);

    state.clear();

    assertThat(state.size()).isZero();
    assertThat(shown(ID)).isEmpty();
    assertThat(shown(OTHER_APP)).isEqualTo(Map.of("app:c", 1));
  }

  @Test
  default void draftOverAllScopesIsCommittedAsAWhole() {
    Session session = service().create(ID, Map.of("a", 1, "user:b", 1));
    StateDraft draft = session.state().draft();
    draft.set("a", (Integer) draft.require("user:b") + 1);
    draft.set("app:c", 3);
    draft.remove("user:b");
    assertThat(shown(ID)).isEqualTo(Map.of("a", 1, "user:b", 1));

    draft.commit();

    assertThat(shown(ID)).isEqualTo(Map.of("a", 2, "app:c", 3));
  }
}
