package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Listing sessions. */
public interface ListContract extends SessionContract {

  private List<String> names(SessionPage page) {
    return page.sessions().stream().map(info -> info.id().session()).toList();
  }

  @Test
  default void listShowsTheNewestChangeFirst() {
    for (String name : List.of("a", "b", "c")) {
      service().create(new SessionId(APP, USER, name));
      clock().advance(Duration.ofSeconds(1));
    }
    Session first = get(new SessionId(APP, USER, "a"));
    first.append(event("e1"));

    List<SessionInfo> listed = fresh().list(APP, USER, PageRequest.first(10)).sessions();

    assertThat(listed).extracting(info -> info.id().session()).containsExactly("a", "c", "b");
    assertThat(listed.get(0))
        .isEqualTo(new SessionInfo(first.id(), 1, 1, first.created(), clock().instant()));
  }

  @Test
  default void sessionsThatChangedAtTheSameInstantComeInTheOrderOfTheirIds() {
    service().create(new SessionId(APP, "u2", "a"));
    service().create(new SessionId(APP, "u1", "b"));
    service().create(new SessionId(APP, "u1", "a"));
    service().create(new SessionId("other", "u1", "a"));

    assertThat(service().list(APP, PageRequest.first(10)).sessions())
        .extracting(SessionInfo::id)
        .containsExactly(
            new SessionId(APP, "u1", "a"),
            new SessionId(APP, "u1", "b"),
            new SessionId(APP, "u2", "a"));
    assertThat(names(service().list(APP, "u1", PageRequest.first(10)))).containsExactly("a", "b");
    assertThat(service().list("nobody", PageRequest.first(10)).sessions()).isEmpty();
    assertThat(service().list(APP, "nobody", PageRequest.first(10)).sessions()).isEmpty();
  }

  @Test
  default void pagesShowEverySessionOnce() {
    List<String> expected = new ArrayList<>();
    for (int i = 10; i < 33; i++) {
      service().create(new SessionId(APP, USER, "s" + i));
      expected.add(0, "s" + i);
      clock().advance(Duration.ofSeconds(1));
    }
    List<String> seen = new ArrayList<>();
    int pages = 0;
    for (PageRequest next = PageRequest.first(5); next != null; pages++) {
      SessionPage page = fresh().list(APP, USER, next);
      assertThat(page.sessions()).hasSizeLessThanOrEqualTo(5);
      seen.addAll(names(page));
      next = page.next();
    }

    assertThat(seen).isEqualTo(expected);
    assertThat(pages).isEqualTo(5);
  }

  @Test
  default void lastPageSaysThatItIsTheLast() {
    for (int i = 0; i < 4; i++) {
      service().create(new SessionId(APP, USER, "s" + i));
    }
    SessionPage first = service().list(APP, PageRequest.first(2));
    assertThat(names(first)).containsExactly("s0", "s1");
    SessionPage second = service().list(APP, first.next());
    assertThat(names(second)).containsExactly("s2", "s3");
    assertThat(second.next()).isNull();
    assertThat(service().list(APP, PageRequest.first(4)).next()).isNull();
  }

  @Test
  default void sessionsThatDoNotChangeAreShownOnceWhileOthersDo() {
    for (int i = 0; i < 6; i++) {
      service().create(new SessionId(APP, USER, "s" + i));
      clock().advance(Duration.ofSeconds(1));
    }
    SessionPage first = service().list(APP, PageRequest.first(3));
    assertThat(names(first)).containsExactly("s5", "s4", "s3");
    service().delete(new SessionId(APP, USER, "s3"));
    get(new SessionId(APP, USER, "s1")).append(event("e1"));
    service().create(new SessionId(APP, USER, "s9"));

    SessionPage second = service().list(APP, first.next());

    assertThat(names(second)).containsExactly("s2", "s0");
    assertThat(second.next()).isNull();
  }

  @Test
  default void pageWithoutRoomIsRefused() {
    assertThatThrownBy(() -> PageRequest.first(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }
}
