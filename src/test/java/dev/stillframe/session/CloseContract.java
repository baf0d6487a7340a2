package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Closing a service. */
public interface CloseContract extends SessionContract {

  @Test
  default void closedServiceRefusesEverything() {
    Session session = service().create(ID);
    service().close();
    service().close();

    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> service().create(ID),
            () -> service().find(ID),
            () -> service().get(ID),
            () -> service().list(APP, PageRequest.first(1)),
            () -> service().list(APP, USER, PageRequest.first(1)),
            () -> service().delete(ID),
            () -> service().fork(ID, "e1", "f"),
            () -> service().rewind(ID, "e1"),
            () -> session.append(event("e1")),
            () -> session.events(),
            () -> session.state())) {
      assertThatThrownBy(use).isInstanceOf(SessionServiceClosedException.class);
    }
  }
}
