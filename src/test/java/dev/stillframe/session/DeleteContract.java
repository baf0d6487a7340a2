package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.delta;
import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.state.Storm;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Deleting sessions. */
public interface DeleteContract extends SessionContract {

  @Test
  default void deletedSessionIsGone() {
    service().create(ID, Map.of("k", 1));

    assertThat(fresh().delete(ID)).isTrue();

    assertThat(service().find(ID)).isEmpty();
    assertThat(service().list(APP, PageRequest.first(10)).sessions()).isEmpty();
    assertThat(service().delete(ID)).isFalse();
  }

  @Test
  default void keysThatASessionShareStayWhenItIsDeleted() {
    service().create(ID, Map.of("user:k", 1, "app:k", 2));
    service().delete(ID);

    assertThat(service().create(new SessionId(APP, USER, "s2")).state().all().asMap())
        .isEqualTo(Map.of("user:k", 1, "app:k", 2));
  }

  @Test
  default void everyUseOfAHandleOfADeletedSessionIsRefused() {
    Session old = service().create(ID, Map.of("k", 1));
    old.append(event("e1"));
    var state = old.state();
    service().delete(ID);

    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> old.append(event("e2", "k", 2)),
            () -> old.append(event("e2", "k", 2), 1),
            () -> old.append(event("e1")),
            () -> old.append(SessionEvent.builder("agent").partial(true).build()),
            () -> old.state(),
            () -> old.events(),
            () -> old.version(),
            () -> old.created(),
            () -> old.lastChanged(),
            () -> old.snapshot(),
            () -> old.initialState(),
            () -> old.stateAsOf("e1"),
            () -> state.get("k"),
            () -> state.set("k", 3),
            () -> state.set("user:k", 3),
            () -> state.apply(delta("temp:k", 1)),
            () -> state.all())) {
      assertThatThrownBy(use)
          .isInstanceOfSatisfying(
              SessionNotFoundException.class, e -> assertThat(e.id()).isEqualTo(ID));
    }
    assertThat(old.id()).isEqualTo(ID);
  }

  @Test
  @DisplayName("Append brings a deleted session back: a new one under the same id")
  default void oldHandleDoesNotReachANewSessionUnderTheSameId() {
    Session old = service().create(ID, Map.of("k", 1));
    old.append(event("e1", "k", 2));
    service().delete(ID);

    Session created = service().create(ID);

    assertThat(created.state().size()).isZero();
    assertThat(created.events()).isEmpty();
    assertThat(created.version()).isZero();
    assertThatThrownBy(() -> old.append(event("e2", "k", 3)))
        .isInstanceOf(SessionNotFoundException.class);
    assertThatThrownBy(() -> old.state()).isInstanceOf(SessionNotFoundException.class);
    assertThat(get(ID).state().size()).isZero();
    assertThat(get(ID).events()).isEmpty();
  }

  @Test
  @DisplayName("Append brings a deleted session back")
  default void nothingIsAppendedOnceADeleteHasReturned() throws Exception {
    for (int round = 0; round < 30; round++) {
      SessionId id = new SessionId(APP, USER, "s" + round);
      Session session = service().create(id);
      AtomicInteger refused = new AtomicInteger();
      AtomicInteger deleted = new AtomicInteger();
      new Storm()
          .once(
              3,
              thread -> {
                for (int i = 0; ; i++) {
                  boolean gone = deleted.get() > 0;
                  try {
                    session.append(event(thread + ":" + i, "k" + thread, i));
                    assertThat(gone).as("appended after the delete").isFalse();
                  } catch (SessionNotFoundException e) {
                    refused.incrementAndGet();
                    return;
                  }
                }
              })
          .once(
              1,
              thread -> {
                assertThat(service().delete(id)).isTrue();
                deleted.incrementAndGet();
                assertThat(fresh().find(id)).isEmpty();
              })
          .run();

      assertThat(refused).hasValue(3);
      assertThat(fresh().find(id)).isEmpty();
      assertThat(service().list(APP, USER, PageRequest.first(10)).sessions()).isEmpty();
    }
  }

  @Test
  default void createsAndDeletesOfOneIdAlternate() throws Exception {
    AtomicInteger created = new AtomicInteger();
    AtomicInteger deleted = new AtomicInteger();
    new Storm()
        .once(
            2,
            thread -> {
              for (int i = 0; i < 200; i++) {
                try {
                  Session session = service().create(ID, Map.of("by", thread));
                  created.incrementAndGet();
                  session.append(event("e" + thread + i));
                } catch (SessionAlreadyExistsException | SessionNotFoundException e) {
                  // taken, or deleted meanwhile
                }
              }
            })
        .once(
            2,
            thread -> {
              for (int i = 0; i < 200; i++) {
                if (service().delete(ID)) {
                  deleted.incrementAndGet();
                }
              }
            })
        .run();

    boolean left = fresh().find(ID).isPresent();
    assertThat(created.get() - deleted.get()).isEqualTo(left ? 1 : 0);
    assertThat(service().stats().sessions()).isEqualTo(left ? 1 : 0);
    if (left) {
      assertThat(get(ID).events().size()).isLessThanOrEqualTo(1);
      service().delete(ID);
    }
    assertThat(service().create(ID).events()).isEmpty();
  }
}
