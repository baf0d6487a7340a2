package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.Storm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What a service in memory lets go of or refuses, and counts. */
class InMemoryLimitsTest {
  private final TestClock clock = new TestClock();

  private static SessionId id(int i) {
    return new SessionId("app", "user", "s" + i);
  }

  private SessionService open(InMemoryOptions.Builder options) {
    return SessionService.inMemory(options.clock(clock).build());
  }

  @Test
  void sessionThatIsIdleForTooLongIsLetGo() {
    SessionService service = open(InMemoryOptions.builder().idleTimeout(Duration.ofMinutes(10)));
    Session idle = service.create(id(1), Map.of("user:k", 1));
    clock.advance(Duration.ofMinutes(9));
    service.create(id(2));
    clock.advance(Duration.ofMinutes(1));

    assertThat(service.list("app", PageRequest.first(9)).sessions())
        .extracting(SessionInfo::id)
        .containsExactly(id(2));
    assertThat(service.find(id(1))).isEmpty();
    assertThatThrownBy(() -> idle.append(event("e1"))).isInstanceOf(SessionNotFoundException.class);
    assertThat(service.get(id(2)).state().get("user:k")).isEqualTo(1);
    assertThat(service.stats().expired()).isEqualTo(1);
    assertThat(service.stats().sessions()).isEqualTo(1);
    assertThat(service.create(id(1)).state().get("k")).isNull();
  }

  @Test
  void everyUseKeepsASession() {
    SessionService service = open(InMemoryOptions.builder().idleTimeout(Duration.ofMinutes(10)));
    Session session = service.create(id(1));
    SessionState state = session.state();
    for (Runnable use :
        new Runnable[] {
          () -> session.append(event("e1")),
          () -> state.set("k", 1),
          () -> state.get("k"),
          () -> state.all(),
          () -> session.events(),
          () -> service.get(id(1))
        }) {
      clock.advance(Duration.ofMinutes(9));
      use.run();
    }
    clock.advance(Duration.ofMinutes(9));
    assertThat(service.find(id(1))).isPresent();
  }

  @Test
  void idleSessionsAreFreedByALaterCreate() {
    SessionService service = open(InMemoryOptions.builder().idleTimeout(Duration.ofMinutes(10)));
    for (int i = 0; i < 100; i++) {
      service.create(id(i));
    }
    clock.advance(Duration.ofMinutes(15));
    service.create(id(1_000));

    assertThat(service.stats().sessions()).isEqualTo(1);
    assertThat(service.stats().expired()).isEqualTo(100);
  }

  @Test
  void whereThereAreTooManyTheOneThatWasIdleForLongestIsLetGo() {
    SessionService service = open(InMemoryOptions.builder().maxSessions(3));
    for (int i = 1; i <= 3; i++) {
      service.create(id(i));
      clock.advance(Duration.ofSeconds(1));
    }
    service.get(id(1)).state().get("k");
    clock.advance(Duration.ofSeconds(1));

    service.create(id(4));

    assertThat(service.find(id(2))).isEmpty();
    assertThat(service.find(id(1))).isPresent();
    assertThat(service.find(id(3))).isPresent();
    assertThat(service.find(id(4))).isPresent();
    assertThat(service.stats().evicted()).isEqualTo(1);
    assertThat(service.stats().sessions()).isEqualTo(3);
  }

  @Test
  void limitHoldsWhileManyCreate() throws Exception {
    SessionService service = open(InMemoryOptions.builder().maxSessions(50));
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 200; i++) {
                service.create(id(thread * 1_000 + i));
              }
            })
        .run();

    SessionStats stats = service.stats();
    assertThat(stats.sessions()).isLessThanOrEqualTo(50);
    assertThat(stats.created() - stats.evicted()).isEqualTo(stats.sessions());
    assertThat(service.list("app", PageRequest.first(1_000)).sessions())
        .hasSize((int) stats.sessions());
  }

  /** What decides who has to go changes while it is being decided. */
  @Test
  void limitHoldsWhileOthersAreUsed() throws Exception {
    SessionService service =
        SessionService.inMemory(InMemoryOptions.builder().maxSessions(500).build());
    List<SessionState> states = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      states.add(service.create(id(i)).state());
    }
    new Storm()
        .repeat(
            1,
            thread -> {
              SessionState state = states.get(ThreadLocalRandom.current().nextInt(500));
              try {
                state.get("k");
              } catch (SessionNotFoundException gone) {
                // let go meanwhile
              }
            })
        .once(
            1,
            thread -> {
              for (int i = 500; i < 3_000; i++) {
                service.create(id(i));
              }
            })
        .run();
    assertThat(service.stats().sessions()).isLessThanOrEqualTo(500);
  }

  @Test
  void anyPositiveTimeIsAnIdleTimeout() {
    SessionService longest =
        open(InMemoryOptions.builder().idleTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
    longest.create(id(1));
    clock.advance(Duration.ofDays(1_000));
    assertThat(longest.find(id(1))).isPresent();
    SessionService shortest = open(InMemoryOptions.builder().idleTimeout(Duration.ofNanos(1)));
    shortest.create(id(1));
    assertThat(shortest.find(id(1))).isPresent();
    clock.advance(Duration.ofMillis(1));
    assertThat(shortest.find(id(1))).isEmpty();
  }

  @Test
  void eventThatWouldMakeASessionTooLargeIsRefused() {
    SessionService service = open(InMemoryOptions.builder().maxSessionBytes(3_000));
    Session session = service.create(id(1), Map.of("k", "x".repeat(500)));
    SessionEvent big = SessionEvent.builder("agent").id("e1").content("x".repeat(1_000)).build();

    assertThatThrownBy(() -> session.append(big))
        .isInstanceOfSatisfying(
            SessionTooLargeException.class,
            e -> {
              assertThat(e.id()).isEqualTo(id(1));
              assertThat(e.limit()).isEqualTo(3_000);
              assertThat(e.size()).isGreaterThan(3_000);
            });
    assertThatThrownBy(
            () ->
                session.append(
                    SessionEvent.builder("agent").invocationId("x".repeat(1_500)).build()))
        .isInstanceOf(SessionTooLargeException.class);
    assertThat(session.events()).isEmpty();
    session.append(SessionEvent.builder("agent").id("e1").content("x".repeat(300)).build());
    assertThatThrownBy(() -> session.append(event("e2", "k", "x".repeat(1_000))))
        .isInstanceOf(SessionTooLargeException.class);
    assertThat(session.state().get("k")).isEqualTo("x".repeat(500));
    assertThatThrownBy(() -> service.create(id(2), Map.of("k", "x".repeat(2_000))))
        .isInstanceOf(SessionTooLargeException.class);
    assertThat(service.find(id(2))).isEmpty();
    assertThat(service.stats().oversized()).isEqualTo(4);
  }

  @Test
  void rewindMakesRoom() {
    SessionService service = open(InMemoryOptions.builder().maxSessionBytes(3_000));
    Session session = service.create(id(1));
    session.append(event("e1"));
    for (int i = 0; i < 5; i++) {
      session.append(SessionEvent.builder("agent").content("x".repeat(1_000)).build());
      service.rewind(id(1), "e1");
    }
    assertThat(session.events()).hasSize(1);
  }

  @Test
  void userWithoutSessionsAndKeysLeavesNothingBehind() {
    InMemorySessionService service =
        new InMemorySessionService(InMemoryOptions.builder().clock(clock).build());
    for (int i = 0; i < 1_000; i++) {
      SessionId id = new SessionId("app", "user-" + i, "s");
      Session session = service.create(id, Map.of("user:k", 1));
      assertThatThrownBy(() -> service.create(id))
          .isInstanceOf(SessionAlreadyExistsException.class);
      if (i > 0) {
        session.append(event("e1", "user:k", null));
      }
      service.delete(id);
    }

    assertThat(service.userCount("app")).isEqualTo(1);
    assertThat(service.create("app", "user-0").state().get("user:k")).isEqualTo(1);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    InMemoryOptions.Builder options = InMemoryOptions.builder();
    assertThatThrownBy(() -> options.idleTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S");
    assertThatThrownBy(() -> options.maxSessions(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.maxSessionBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
