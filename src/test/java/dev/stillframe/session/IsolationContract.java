package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stillframe.state.StateDelta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nobody changes what is stored other than by writing it. */
public interface IsolationContract extends SessionContract {

  private Map<String, Object> mutable(String key, Object value) {
    Map<String, Object> map = new HashMap<>();
    map.put(key, value);
    return map;
  }

  @Test
  @DisplayName("Editing a returned value edits the store: what was passed in")
  default void laterChangesToWhatASessionWasCreatedWithDoNotShow() {
    Map<String, Object> config = mutable("theme", "light");
    List<Object> tags = new ArrayList<>(List.of(mutable("t", 1)));
    Map<String, Object> initial = new HashMap<>();
    initial.put("app:config", config);
    initial.put("user:profile", mutable("name", "n"));
    initial.put("tags", tags);
    service().create(ID, initial);

    config.put("theme", "dark");
    tags.clear();
    initial.put("more", 1);

    assertThat(get(ID).state().all().asMap())
        .isEqualTo(
            Map.of(
                "app:config", Map.of("theme", "light"),
                "user:profile", Map.of("name", "n"),
                "tags", List.of(Map.of("t", 1))));
    assertThat(get(ID).initialState()).isEqualTo(get(ID).state().all());
  }

  @Test
  @DisplayName("Editing a returned value edits the store: what came out")
  @SuppressWarnings("unchecked")
  default void whatCameOutCannotBeChanged() {
    Session session = service().create(ID, Map.of("app:config", mutable("theme", "light")));
    session.append(
        SessionEvent.builder("agent")
            .id("e1")
            .content(mutable("a", 1))
            .metadata(mutable("b", 1))
            .delta(StateDelta.builder().set("c", mutable("d", 1)).build())
            .build());
    SessionEvent stored = get(ID).events().get(0);
    for (Object map :
        List.of(
            session.state().require("app:config"),
            get(ID).state().require("app:config"),
            session.state().all().require("app:config"),
            session.state().all().asMap(),
            session.initialState().require("app:config"),
            session.snapshot().state().require("c"),
            stored.content(),
            stored.metadata(),
            stored.delta().asMap(),
            stored.delta().asMap().get("c"))) {
      assertThatThrownBy(() -> ((Map<String, Object>) map).put("theme", "dark"))
          .isInstanceOf(UnsupportedOperationException.class);
    }
    assertThatThrownBy(() -> service().list(APP, PageRequest.first(1)).sessions().remove(0))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(get(ID).state().all().asMap())
        .isEqualTo(Map.of("app:config", Map.of("theme", "light"), "c", Map.of("d", 1)));
  }

  @Test
  @DisplayName("The caller goes on writing to an event it has appended")
  default void eventKeepsTheContentOfItsMaking() {
    Map<String, Object> content = mutable("text", "before");
    List<Object> value = new ArrayList<>(List.of(1));
    Session session = service().create(ID);
    SessionEvent event =
        SessionEvent.builder("agent")
            .id("e1")
            .content(content)
            .metadata(content)
            .delta(StateDelta.builder().set("list", value).build())
            .build();
    session.append(event);

    content.put("text", "after");
    value.add(2);

    SessionEvent stored = get(ID).events().get(0);
    assertThat(stored.content()).isEqualTo(Map.of("text", "before"));
    assertThat(stored.metadata()).isEqualTo(Map.of("text", "before"));
    assertThat(stored.delta().asMap()).isEqualTo(Map.of("list", List.of(1)));
    assertThat(get(ID).state().get("list")).isEqualTo(List.of(1));
  }

  @Test
  default void arraysAreCopiedInAndOut() {
    assumeTrue(can(Capability.KEEPS_ANY_OBJECT));
    int[] given = {1, 2};
    Session session = service().create(ID, Map.of("array", given));
    session.append(SessionEvent.builder("agent").content(given).build());
    given[0] = 9;
    ((int[]) session.events().get(0).content())[0] = 9;
    ((int[]) session.state().require("array"))[0] = 9;

    assertThat((int[]) get(ID).events().get(0).content()).containsExactly(1, 2);
    assertThat((int[]) get(ID).state().require("array")).containsExactly(1, 2);
    assertThat((int[]) get(ID).initialState().require("array")).containsExactly(1, 2);
  }

  @Test
  default void handlesDoNotShareTheirTemporaryKeys() {
    Session first = service().create(ID);
    Session second = service().get(ID);
    first.state().set("temp:t", 1);
    second.append(event("e1", "temp:t", 2));

    assertThat(first.state().get("temp:t")).isEqualTo(1);
    assertThat(second.state().get("temp:t")).isEqualTo(2);
  }
}
