package dev.stillframe.session;

import dev.stillframe.state.SessionStateLincheckTest;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck looks for an execution over two sessions of one user whose results no order of the
 * operations explains: created, appended to, rewound, deleted, looked at as a whole.
 */
@Tag("lincheck")
@Param(name = "session", gen = IntGen.class, conf = "1:2")
@Param(name = "event", gen = IntGen.class, conf = "1:2")
public class SessionLincheckTest {
  private final SessionService service = SessionService.inMemory();

  private static SessionId id(int session) {
    return new SessionId("app", "user", "s" + session);
  }

  @Operation
  public String create(@Param(name = "session") int session) {
    try {
      service.create(id(session), Map.of("k", 0));
      return "created";
    } catch (SessionAlreadyExistsException e) {
      return "exists";
    }
  }

  @Operation
  public String append(@Param(name = "session") int session, @Param(name = "event") int event) {
    try {
      AppendResult result =
          service
              .get(id(session))
              .append(SessionContract.event("e" + event, "k", event, "user:k", event));
      return result.outcome() + " " + result.event().sequence() + " " + result.version();
    } catch (SessionNotFoundException e) {
      return "not found";
    }
  }

  @Operation
  public String appendToNew(@Param(name = "session") int session) {
    try {
      return service.get(id(session)).append(SessionContract.event("e0"), 0).outcome().toString();
    } catch (SessionNotFoundException e) {
      return "not found";
    } catch (SessionConflictException e) {
      return "at " + e.actual();
    }
  }

  @Operation
  public String rewind(@Param(name = "session") int session) {
    try {
      return "undone: " + service.rewind(id(session), "e1");
    } catch (SessionNotFoundException | SessionEventNotFoundException e) {
      return e.getClass().getSimpleName();
    }
  }

  @Operation
  public boolean delete(@Param(name = "session") int session) {
    return service.delete(id(session));
  }

  @Operation
  public @Nullable Object setShared(@Param(name = "session") int session) {
    try {
      return service.get(id(session)).state().set("user:k", "direct");
    } catch (SessionNotFoundException e) {
      return "not found";
    }
  }

  @Operation
  public String snapshot(@Param(name = "session") int session) {
    try {
      SessionSnapshot snapshot = service.get(id(session)).snapshot();
      return snapshot.info().version()
          + snapshot.events().stream()
              .map(event -> event.id() + "/" + event.sequence())
              .collect(Collectors.joining(",", " [", "] "))
          + new TreeMap<>(snapshot.state().asMap());
    } catch (SessionNotFoundException e) {
      return "not found";
    }
  }

  @Test
  void modelCheckingWithTwoThreads() {
    SessionStateLincheckTest.modelChecking()
        .invocationsPerIteration(100) // each has many more steps than of a single state
        .threads(2)
        .actorsPerThread(3)
        .check(getClass());
  }

  @Test
  void stressWithTwoThreads() {
    SessionStateLincheckTest.stress().threads(2).actorsPerThread(3).check(getClass());
  }
}
