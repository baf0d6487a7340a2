package dev.stillframe.session.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.session.AppendResult;
import dev.stillframe.session.EventFilter;
import dev.stillframe.session.InMemoryOptions;
import dev.stillframe.session.PageRequest;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionInfo;
import dev.stillframe.session.SessionPage;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionSnapshot;
import dev.stillframe.session.TestClock;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any sequence of operations has the same results in memory, in maps and in a database. */
@Timeout(120)
class ServicesAgreeTest {
  private static final int STEPS = 1_000;
  private static final String[] KEYS = {
    "a", "b", "app:a", "app:b", "user:a", "user:b", "temp:a", "application", ":x", "user:app:a"
  };

  private final TestClock clock = new TestClock();
  private int events;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void resultsAreTheSame(long seed) throws Exception {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    JdbcSessions.createSchema(pool);
    StoreOptions options = StoreOptions.builder().clock((Clock) clock).build();
    List<SessionService> services =
        List.of(
            SessionService.inMemory(InMemoryOptions.builder().clock(clock).build()),
            MapSessions.over(
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>(),
                options),
            JdbcSessions.over(pool, options));
    List<Map<Integer, Session>> handles =
        List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      long operation = random.nextLong();
      if (random.nextInt(3) == 0) {
        clock.advance(Duration.ofMillis(random.nextInt(3)));
      }
      int eventsBefore = events;
      List<String> results = new ArrayList<>();
      for (int i = 0; i < services.size(); i++) {
        events = eventsBefore;
        results.add(result(services.get(i), handles.get(i), new Random(operation)));
      }
      assertThat(results.get(1)).as("maps, step %d", step).isEqualTo(results.get(0));
      assertThat(results.get(2)).as("database, step %d", step).isEqualTo(results.get(0));
    }
    services.forEach(SessionService::close);
    pool.dispose();
  }

  private String result(SessionService service, Map<Integer, Session> handles, Random random) {
    try {
      return String.valueOf(operation(service, handles, random));
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  private static SessionId id(Random random) {
    return new SessionId(
        "app" + random.nextInt(2), "user" + random.nextInt(2), "s" + random.nextInt(3));
  }

  private static Object value(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(5);
      case 1 -> "text " + random.nextInt(3);
      case 2 -> List.of(1, Map.of("k", random.nextInt(3)));
      default -> (long) random.nextInt(3);
    };
  }

  private static StateDelta delta(Random random) {
    StateDelta.Builder delta = StateDelta.builder();
    for (int i = random.nextInt(4); i > 0; i--) {
      String key = KEYS[random.nextInt(KEYS.length)];
      if (random.nextInt(3) == 0) {
        delta.remove(key);
      } else {
        delta.set(key, value(random));
      }
    }
    return delta.build();
  }

  private SessionEvent event(Random random) {
    // At times an id that may be there already, or have been undone.
    int number = random.nextInt(4) == 0 ? random.nextInt(events + 1) : ++events;
    SessionEvent.Builder event =
        SessionEvent.builder("agent" + random.nextInt(2))
            .id("e" + number)
            .instant(clock.instant().minusMillis(random.nextInt(50)))
            .partial(random.nextInt(8) == 0)
            .delta(delta(random));
    if (random.nextBoolean()) {
      event.content(value(random)).metadata(Map.of("m", value(random)));
    }
    return event.build();
  }

  /** One operation through the service, or through a handle of this session, old or new. */
  private Object operation(SessionService service, Map<Integer, Session> handles, Random random) {
    SessionId id = id(random);
    int place = random.nextInt(6);
    switch (random.nextInt(16)) {
      case 0 -> {
        Map<String, Object> initial = new TreeMap<>();
        initial.put(KEYS[random.nextInt(KEYS.length)], value(random));
        handles.put(place, service.create(id, initial));
        return "created";
      }
      case 1 -> {
        EventFilter filter =
            random.nextBoolean()
                ? EventFilter.all().newest(random.nextInt(5))
                : EventFilter.all().notBefore(clock.instant().minusMillis(random.nextInt(30)));
        handles.put(place, service.get(id, filter));
        return handles.get(place).events().stream().map(ServicesAgreeTest::text).toList();
      }
      case 2 -> {
        return random.nextInt(3) == 0 && service.delete(id);
      }
      case 3 -> {
        return service.rewind(id, "e" + random.nextInt(events + 1));
      }
      case 4 -> {
        Session fork = service.fork(id, "e" + random.nextInt(events + 1), "s" + random.nextInt(3));
        handles.put(place, fork);
        return text(fork.snapshot());
      }
      case 5 -> {
        return pages(service, id, random);
      }
      default -> {}
    }
    Session session = handles.get(place);
    if (session == null) {
      return "no handle";
    }
    String key = KEYS[random.nextInt(KEYS.length)];
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> text(session.append(event(random)));
      case 4 -> text(session.append(event(random), random.nextInt(6)));
      case 5 -> session.state().set(key, value(random));
      case 6 -> session.state().remove(key);
      case 7 -> session.state().update(key, old -> old instanceof Integer n ? n + 1 : 1);
      case 8 -> {
        session.state().apply(delta(random));
        yield "applied";
      }
      case 9 -> {
        StateDraft draft = session.state().draft();
        draft.apply(delta(random));
        draft.set(key, 7);
        draft.commit();
        yield new TreeMap<>(session.state().all().asMap());
      }
      case 10 -> new TreeMap<>(session.stateAsOf("e" + random.nextInt(events + 1)).asMap());
      default -> text(session.snapshot());
    };
  }

  private static String text(SessionSnapshot session) {
    assertThat(session.events().stream().map(SessionEvent::sequence).toList())
        .isSorted()
        .doesNotHaveDuplicates();
    return session.info()
        + " "
        + new TreeMap<>(session.state().asMap())
        + " "
        + session.events().stream().map(ServicesAgreeTest::text).toList();
  }

  private static String text(AppendResult result) {
    return result.outcome() + " " + result.version() + " " + text(result.event());
  }

  /**
   * All of an event, with the keys of its delta in order, but not its sequence number: which
   * numbers are left out between events is not promised, only that they grow.
   */
  private static String text(SessionEvent event) {
    return event.id()
        + " "
        + event.author()
        + " "
        + event.instant()
        + " "
        + event.content()
        + " "
        + event.metadata()
        + " "
        + new TreeMap<>(event.delta().asMap());
  }

  private static Object pages(SessionService service, SessionId id, Random random) {
    List<SessionInfo> all = new ArrayList<>();
    boolean ofUser = random.nextBoolean();
    PageRequest next = PageRequest.first(1 + random.nextInt(3));
    while (next != null) {
      SessionPage page =
          ofUser ? service.list(id.app(), id.user(), next) : service.list(id.app(), next);
      all.addAll(page.sessions());
      next = page.next();
    }
    return all;
  }
}
