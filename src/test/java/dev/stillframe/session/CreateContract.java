package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.state.Storm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Creating and finding sessions. */
public interface CreateContract extends SessionContract {

  @Test
  default void newSessionHasItsInitialStateAndNoEvents() {
    Session created = service().create(ID, Map.of("step", "planning", "app:theme", "dark"));

    for (Session session : List.of(created, get(ID))) {
      assertThat(session.id()).isEqualTo(ID);
      assertThat(session.state().all().asMap())
          .isEqualTo(Map.of("step", "planning", "app:theme", "dark"));
      assertThat(session.events()).isEmpty();
      assertThat(session.version()).isZero();
      assertThat(session.created()).isEqualTo(clock().instant());
      assertThat(session.lastChanged()).isEqualTo(clock().instant());
      assertThat(session.initialState().asMap())
          .isEqualTo(Map.of("step", "planning", "app:theme", "dark"));
    }
  }

  @Test
  default void nullIsRefused() {
    Session session = service().create(ID);
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> service().rewind(ID, null),
            () -> service().fork(ID, null, "s2"),
            () -> session.stateAsOf(null),
            () -> session.append(null),
            () -> service().delete(null))) {
      assertThatThrownBy(use).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  default void sessionThatDoesNotExistIsNotFound() {
    assertThat(service().find(ID)).isEmpty();
    assertThatThrownBy(() -> service().get(ID))
        .isInstanceOfSatisfying(
            SessionNotFoundException.class, e -> assertThat(e.id()).isEqualTo(ID))
        .hasMessageContaining("s1");
    assertThat(service().delete(ID)).isFalse();
    assertThatThrownBy(() -> service().fork(ID, "e1", "s2"))
        .isInstanceOf(SessionNotFoundException.class);
    assertThatThrownBy(() -> service().rewind(ID, "e1"))
        .isInstanceOf(SessionNotFoundException.class);
  }

  @Test
  default void idThatIsTakenIsRefusedAndNothingChanges() {
    Session session = service().create(ID, Map.of("n", 1, "user:n", 1, "app:n", 1));
    session.append(event("e1"));

    assertThatThrownBy(() -> fresh().create(ID, Map.of("n", 2, "m", 2, "user:n", 2, "app:n", 2)))
        .isInstanceOfSatisfying(
            SessionAlreadyExistsException.class, e -> assertThat(e.id()).isEqualTo(ID));

    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("n", 1, "user:n", 1, "app:n", 1));
    assertThat(get(ID).events()).hasSize(1);
  }

  @Test
  @DisplayName("Two creators, one id")
  default void exactlyOneOfManyCreatorsWins() throws Exception {
    for (int round = 0; round < 20; round++) {
      SessionId id = new SessionId(APP, USER, "s" + round);
      Set<Integer> winners = ConcurrentHashMap.newKeySet();
      AtomicInteger refused = new AtomicInteger();
      new Storm()
          .once(
              32,
              thread -> {
                try {
                  service().create(id, Map.of("by", thread, "user:by", thread));
                  winners.add(thread);
                } catch (SessionAlreadyExistsException e) {
                  refused.incrementAndGet();
                  assertThat(service().find(id)).as("what is said to exist").isPresent();
                }
              })
          .run();

      assertThat(winners).hasSize(1);
      assertThat(refused).hasValue(31);
      int winner = winners.iterator().next();
      assertThat(get(id).state().all().asMap()).isEqualTo(Map.of("by", winner, "user:by", winner));
    }
  }

  @Test
  @DisplayName("Ids made from the clock collide")
  default void idsThatTheServiceGivesAreDistinct() throws Exception {
    Set<SessionId> ids = ConcurrentHashMap.newKeySet();
    Set<String> events = ConcurrentHashMap.newKeySet();
    new Storm()
        .once(
            8,
            thread -> {
              for (int i = 0; i < 250; i++) {
                ids.add(service().create(APP, USER).id());
                events.add(SessionEvent.builder("agent").build().id());
              }
            })
        .run();

    assertThat(ids).hasSize(2_000);
    assertThat(events).hasSize(2_000);
    assertThat(service().list(APP, USER, PageRequest.first(3_000)).sessions()).hasSize(2_000);
  }

  @Test
  default void initialValueThatIsNullIsRefusedAndNothingIsCreated() {
    Map<String, Object> initial = new HashMap<>();
    initial.put("user:a", 1);
    initial.put("b", null);

    assertThatThrownBy(() -> service().create(ID, initial))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("'b'");
    assertThat(service().find(ID)).isEmpty();
    assertThat(service().create(ID).state().size()).isZero();
  }

  @Test
  default void barePrefixAmongTheInitialKeysIsRefusedAndNothingIsCreated() {
    assertThatThrownBy(() -> service().create(ID, Map.of("user:a", 1, "app:", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'app:'");
    assertThat(service().find(ID)).isEmpty();
    assertThat(service().create(ID).state().size()).isZero();
  }
}
