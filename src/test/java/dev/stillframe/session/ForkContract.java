package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static dev.stillframe.session.SessionContract.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.session.AppendResult.Outcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Forking sessions. */
public interface ForkContract extends SessionContract {
  SessionId FORK = new SessionId(APP, USER, "fork");

  private Session original() {
    Session session = service().create(ID, Map.of("tenant", "t1", "k", 0));
    session.append(event("e1", "k", 1, "user:u", 1));
    session.append(event("e2", "k", 2, "tenant", null, "temp:t", 1));
    session.append(event("e3", "k", 3, "m", 3, "user:u", 3));
    session.state().set("direct", true);
    return session;
  }

  @Test
  default void forkBeginsAsTheOriginalDidUpToTheEvent() {
    Session original = original();
    clock().advance(Duration.ofSeconds(1));

    Session fork = service().fork(ID, "e2", "fork");

    for (Session seen : java.util.List.of(fork, get(FORK))) {
      assertThat(seen.id()).isEqualTo(FORK);
      assertThat(seen.events()).isEqualTo(original.events().subList(0, 2));
      assertThat(seen.state().all().asMap()).isEqualTo(Map.of("k", 2, "user:u", 3));
      assertThat(seen.initialState()).isEqualTo(original.initialState());
      assertThat(seen.created()).isEqualTo(clock().instant());
      assertThat(seen.version()).isZero();
      assertThat(seen.stateAsOf("e1").asMap())
          .isEqualTo(Map.of("tenant", "t1", "k", 1, "user:u", 1));
    }
  }

  @Test
  default void forkAndOriginalGoTheirOwnWays() {
    Session original = original();
    Session fork = service().fork(ID, "e2", "fork");

    fork.append(event("f3", "k", "fork"));
    original.append(event("e4", "k", "original"));
    assertThat(fork.append(event("e2", "k", "again")).outcome()).isEqualTo(Outcome.DUPLICATE);
    assertThat(fork.append(event("e3", "n", 3)).outcome()).isEqualTo(Outcome.APPENDED);

    assertThat(ids(get(FORK))).containsExactly("e1", "e2", "f3", "e3");
    assertThat(get(FORK).events())
        .extracting(SessionEvent::sequence)
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(ids(get(ID))).containsExactly("e1", "e2", "e3", "e4");
    assertThat(get(FORK).state().get("k")).isEqualTo("fork");
    assertThat(get(ID).state().get("k")).isEqualTo("original");
    service().delete(ID);
    assertThat(get(FORK).events()).hasSize(4);
  }

  @Test
  default void forkThatCannotBeIsRefusedAndNothingIsCreated() {
    original();
    service().create(new SessionId(APP, USER, "taken"));

    assertThatThrownBy(() -> service().fork(ID, "e9", "fork"))
        .isInstanceOf(SessionEventNotFoundException.class);
    assertThatThrownBy(() -> service().fork(ID, "e1", "taken"))
        .isInstanceOf(SessionAlreadyExistsException.class);
    assertThat(service().find(FORK)).isEmpty();
    assertThat(get(new SessionId(APP, USER, "taken")).events()).isEmpty();
  }
}
