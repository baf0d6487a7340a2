package dev.stillframe.session.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionSnapshot;
import dev.stillframe.state.StateDelta;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A member dies after each number of steps that an operation takes, and others go on. */
class MapCrashTest {
  private static final SessionId ID = new SessionId("travel", "user-7", "s1");
  private static final SessionId OTHER = new SessionId("travel", "user-7", "s2");

  private final ConcurrentMap<String, String> sessions = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, String> shared = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, String> events = new ConcurrentHashMap<>();

  /** What the maps of a dead member throw. */
  private static final class Dead extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private SessionService living() {
    return MapSessions.over(sessions, shared, events);
  }

  private SessionService dyingAfter(AtomicInteger operations) {
    return MapSessions.over(
        dying(sessions, operations), dying(shared, operations), dying(events, operations));
  }

  @SuppressWarnings("unchecked")
  private static ConcurrentMap<String, String> dying(
      ConcurrentMap<String, String> map, AtomicInteger operations) {
    return (ConcurrentMap<String, String>)
        Proxy.newProxyInstance(
            MapCrashTest.class.getClassLoader(),
            new Class<?>[] {ConcurrentMap.class},
            (proxy, method, args) -> {
              if (operations.decrementAndGet() < 0) {
                throw new Dead();
              }
              try {
                return method.invoke(map, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static SessionEvent event(String id, int n) {
    return SessionEvent.builder("agent")
        .id(id)
        .delta(StateDelta.builder().set("n", n).set("user:n", n).set("app:n", n).build())
        .build();
  }

  private void start() {
    List.of(sessions, shared, events).forEach(Map::clear);
    living().create(ID, Map.of("n", 0, "user:n", 0, "app:n", 0));
    living().create(OTHER);
    living().get(ID).append(event("e1", 1));
  }

  private interface Use {
    void of(SessionService service);
  }

  /** Returns true if the member died of it. */
  private boolean dies(int operations, Use use) {
    try {
      use.of(dyingAfter(new AtomicInteger(operations)));
      return false;
    } catch (Dead dead) {
      return true;
    }
  }

  private SessionSnapshot requireWhole() {
    SessionSnapshot seen = living().get(ID).snapshot();
    int last = (Integer) seen.state().require("n");
    assertThat(seen.state().asMap()).isEqualTo(Map.of("n", last, "user:n", last, "app:n", last));
    assertThat(seen.events()).hasSize(last);
    return seen;
  }

  @Test
  void appendIsThereWholeOrNotAtAllAndCanBeRepeated() {
    int deaths = 0;
    for (int operations = 0; ; operations++) {
      start();
      if (!dies(operations, service -> service.get(ID).append(event("e2", 2)))) {
        break;
      }
      deaths++;
      int before = requireWhole().events().size();
      Outcome outcome = living().get(ID).append(event("e2", 2)).outcome();
      assertThat(outcome).isIn(Outcome.APPENDED, Outcome.DUPLICATE);
      assertThat(outcome == Outcome.DUPLICATE || before == 1).isTrue();
      assertThat(requireWhole().events()).hasSize(2);
    }
    assertThat(deaths).isGreaterThan(10);
  }

  @Test
  void anotherSessionFinishesWhatItMeets() {
    for (int operations = 0; ; operations++) {
      start();
      boolean died = dies(operations, service -> service.get(ID).append(event("e2", 2)));
      Session other = living().get(OTHER);
      assertThat(other.state().get("app:n")).isEqualTo(other.state().get("user:n"));
      other.append(event("o1", 9));
      assertThat(living().get(OTHER).state().all().asMap())
          .isEqualTo(Map.of("n", 9, "user:n", 9, "app:n", 9));
      living().get(ID).append(event("e2", 2));
      assertThat(living().get(ID).events()).hasSize(2);
      if (!died) {
        break;
      }
    }
  }

  @Test
  void rewindIsDoneOrNot() {
    for (int operations = 0; ; operations++) {
      start();
      living().get(ID).append(event("e2", 2));
      boolean died = dies(operations, service -> service.rewind(ID, "e1"));
      requireWhole();
      living().rewind(ID, "e1");
      assertThat(requireWhole().events()).hasSize(1);
      if (!died) {
        break;
      }
    }
  }

  @Test
  void sessionIsCreatedOrNotAndDeletedOrNot() {
    for (int operations = 0; ; operations++) {
      start();
      living().delete(OTHER);
      boolean died =
          dies(operations, service -> service.create(OTHER, Map.of("user:x", 1, "y", 1)));
      boolean there = living().find(OTHER).isPresent();
      assertThat(living().get(ID).state().contains("user:x")).isEqualTo(there);
      boolean diedAgain = dies(operations, service -> service.delete(ID));
      if (living().find(ID).isPresent()) {
        assertThat(living().get(ID).state().all().asMap())
            .containsAllEntriesOf(Map.of("n", 1, "user:n", 1, "app:n", 1));
        assertThat(living().delete(ID)).isTrue();
      }
      assertThat(living().create(ID).events()).isEmpty();
      if (!died && !diedAgain) {
        break;
      }
    }
  }
}
