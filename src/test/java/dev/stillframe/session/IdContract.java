package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ids are opaque. */
public interface IdContract extends SessionContract {

  private void keepsApart(List<SessionId> ids) {
    for (int i = 0; i < ids.size(); i++) {
      service().create(ids.get(i), Map.of("i", i)).append(event("e", "j", i));
    }
    for (int i = 0; i < ids.size(); i++) {
      Session session = get(ids.get(i));
      assertThat(session.id()).isEqualTo(ids.get(i));
      assertThat(session.state().get("i")).isEqualTo(i);
      assertThat(session.state().get("j")).isEqualTo(i);
      assertThat(session.events()).hasSize(1);
      assertThat(
              fresh().list(ids.get(i).app(), ids.get(i).user(), PageRequest.first(100)).sessions())
          .extracting(SessionInfo::id)
          .contains(ids.get(i));
    }
    for (int i = 0; i < ids.size(); i += 2) {
      assertThat(service().delete(ids.get(i))).isTrue();
    }
    for (int i = 0; i < ids.size(); i++) {
      assertThat(fresh().find(ids.get(i)).isPresent()).isEqualTo(i % 2 == 1);
    }
  }

  @Test
  @DisplayName("Ids that leave the storage folder")
  default void noIdMeansAnythingButItself() {
    List<SessionId> ids = new ArrayList<>();
    for (String odd :
        List.of(
            "../../out",
            "/etc/x",
            "a/../../b",
            "..\\x",
            "C:x",
            ".",
            "..",
            "\u0000",
            "a\u0000b",
            "%",
            "%2e",
            "*",
            "'",
            "\"",
            "a:b",
            "a|b",
            "a_b",
            "{}",
            " ",
            "a ",
            " a",
            "A",
            "a",
            "\n",
            "\u2028",
            "null",
            "é",
            "e\u0301",
            "ß",
            "ss",
            "İ",
            "i",
            "😀",
            "\uFFFD",
            "\uFEFF")) {
      ids.add(new SessionId(odd, "u", "s"));
      ids.add(new SessionId("a", odd, "s"));
      ids.add(new SessionId("a", "u", odd));
    }
    ids = ids.stream().distinct().toList();

    keepsApart(ids);
  }

  @Test
  default void partsDoNotRunIntoEachOther() {
    List<SessionId> ids = new ArrayList<>();
    for (String separator : List.of(":", "/", "|", ",", "\u0000", "\u001f", "_", "-", ".", " ")) {
      ids.add(new SessionId("a" + separator + "b", "c", "d"));
      ids.add(new SessionId("a", "b" + separator + "c", "d"));
      ids.add(new SessionId("a", "b", "c" + separator + "d"));
    }

    keepsApart(ids);
  }

  @Test
  @DisplayName("An id too long for a file name")
  default void longIdsWorkOrAreRefusedAtOnce() {
    List<SessionId> ids = new ArrayList<>();
    for (int length : new int[] {300, 1_023}) {
      for (String end : List.of("x", "y")) {
        String longText = "i".repeat(length) + end;
        ids.add(new SessionId(longText, "u", "s"));
        ids.add(new SessionId("a", longText, "s"));
        ids.add(new SessionId("a", "u", longText));
      }
    }
    ids.add(new SessionId("a", "u", "\u20ac".repeat(120)));
    ids.add(new SessionId("a", "u", "\ud83d\ude00".repeat(512)));

    keepsApart(ids);
    for (String refused : List.of("", "i".repeat(1_025), "i".repeat(5_000), "\ud83d", "x\ude00y")) {
      assertThatThrownBy(() -> new SessionId("a", "u", refused))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("session");
      assertThatThrownBy(() -> SessionEvent.builder("agent").id(refused))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  default void eventIdsKeysAndTextsAreOpaque() {
    List<String> texts =
        List.of(
            "\u2028",
            "\u2029",
            "\u0085",
            "a\r\nb",
            "\n",
            "\u0000",
            "😀",
            "a.b",
            "$",
            "",
            " ",
            "\"",
            "\\",
            "'",
            "{}",
            "null",
            "i".repeat(1_024));
    Session session = service().create(ID);
    Map<String, Object> expected = new HashMap<>();
    for (String text : texts) {
      session.append(
          SessionEvent.builder(text)
              .id("e" + text.substring(0, Math.min(text.length(), 1_000)))
              .invocationId(text)
              .content(List.of(text))
              .metadata(Map.of(text, text))
              .delta(SessionContract.delta("k" + text, text))
              .build());
      expected.put("k" + text, text);
    }

    assertThat(get(ID).state().all().asMap()).isEqualTo(expected);
    assertThat(get(ID).events()).isEqualTo(session.events()).hasSize(texts.size());
    assertThat(get(ID).events()).extracting(SessionEvent::author).isEqualTo(texts);
  }

  @Test
  @DisplayName("Same session id, different user")
  default void sessionsOfOtherUsersAndAppsAreOthers() {
    SessionId ofA = new SessionId("X", "A", "t1");
    SessionId ofB = new SessionId("X", "B", "t1");
    SessionId inY = new SessionId("Y", "A", "t1");
    service().create(ofA, Map.of("k", "A", "user:k", "A")).append(event("e1"));

    assertThat(service().find(ofB)).isEmpty();
    service().create(ofB, Map.of("k", "B")).append(event("e1", "user:k", "B"));
    service().create(inY).append(event("e9", "k", "Y"));

    assertThat(get(ofA).state().all().asMap()).isEqualTo(Map.of("k", "A", "user:k", "A"));
    assertThat(service().list("X", "B", PageRequest.first(10)).sessions())
        .extracting(SessionInfo::id)
        .containsExactly(ofB);
    assertThat(service().delete(ofB)).isTrue();
    assertThat(service().delete(inY)).isTrue();
    assertThat(get(ofA).state().all().asMap()).isEqualTo(Map.of("k", "A", "user:k", "A"));
    assertThat(get(ofA).events()).hasSize(1);
  }
}
