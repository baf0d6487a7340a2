package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.delta;
import static dev.stillframe.session.SessionContract.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.state.StateSnapshot;
import dev.stillframe.state.Storm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Appending by several threads. */
public interface ConcurrentAppendContract extends SessionContract {

  @Test
  @DisplayName("Parallel emitters get the same sequence number")
  default void appendsThroughManyHandlesLoseNothing() throws Exception {
    service().create(ID);
    Set<Long> given = ConcurrentHashMap.newKeySet();
    new Storm()
        .once(
            16,
            thread -> {
              Session session = (thread % 2 == 0 ? service() : fresh()).get(ID);
              for (int i = 0; i < 25; i++) {
                AppendResult result =
                    session.append(
                        event(thread + ":" + i, "k" + thread, i, "t" + thread + ":" + i, 1));
                assertThat(given.add(result.event().sequence())).isTrue();
              }
            })
        .run();

    Session session = get(ID);
    List<SessionEvent> events = session.events();
    assertThat(events).extracting(SessionEvent::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(events.stream().map(SessionEvent::sequence).collect(Collectors.toSet()))
        .isEqualTo(given);
    assertThat(session.version()).isEqualTo(400);
    for (int thread = 0; thread < 16; thread++) {
      String prefix = thread + ":";
      assertThat(events.stream().map(SessionEvent::id).filter(id -> id.startsWith(prefix)))
          .containsExactlyElementsOf(IntStream.range(0, 25).mapToObj(i -> prefix + i).toList());
      assertThat(session.state().get("k" + thread)).isEqualTo(24);
    }
    assertThat(session.state().size()).isEqualTo(16 + 400);
    assertThat(session.stateAsOf(events.get(399).id())).isEqualTo(session.state().all());
  }

  @Test
  default void appendsOfManySessionsToSharedKeysLoseNothing() throws Exception {
    for (int s = 0; s < 4; s++) {
      service().create(new SessionId(APP, "user-" + s % 2, "s" + s));
    }
    new Storm()
        .once(
            4,
            thread -> {
              Session session =
                  service().get(new SessionId(APP, "user-" + thread % 2, "s" + thread));
              for (int i = 0; i < 25; i++) {
                session.append(
                    event(
                        "e" + i,
                        "app:" + thread + ":" + i,
                        1,
                        "user:" + thread + ":" + i,
                        1,
                        "own",
                        i));
              }
            })
        .run();

    for (int s = 0; s < 4; s++) {
      StateSnapshot state = get(new SessionId(APP, "user-" + s % 2, "s" + s)).state().all();
      assertThat(state.asMap().keySet()).filteredOn(key -> key.startsWith("app:")).hasSize(100);
      assertThat(state.asMap().keySet()).filteredOn(key -> key.startsWith("user:")).hasSize(50);
    }
  }

  @Test
  default void oneOfManyAppendsThatExpectAVersionSucceeds() throws Exception {
    service().create(ID);
    for (int round = 0; round < 10; round++) {
      int version = round;
      AtomicInteger appended = new AtomicInteger();
      new Storm()
          .once(
              8,
              thread -> {
                try {
                  fresh().get(ID).append(event(version + ":" + thread, "by", thread), version);
                  appended.incrementAndGet();
                } catch (SessionConflictException e) {
                  assertThat(e.actual()).isEqualTo(version + 1);
                }
              })
          .run();

      assertThat(appended).hasValue(1);
      assertThat(get(ID).events()).hasSize(version + 1);
    }
  }

  @Test
  @DisplayName("One event applied twice: at once")
  default void eventThatSeveralHandlesAppendAtOnceIsStoredOnce() throws Exception {
    Session session = service().create(ID, Map.of("n", 0));
    for (int round = 0; round < 20; round++) {
      String id = "e" + round;
      AtomicInteger appended = new AtomicInteger();
      int value = round;
      new Storm()
          .once(
              4,
              thread -> {
                AppendResult result = service().get(ID).append(event(id, "n", value));
                if (result.outcome() == Outcome.APPENDED) {
                  appended.incrementAndGet();
                }
                assertThat(result.event().sequence()).isPositive();
              })
          .run();

      assertThat(appended).hasValue(1);
    }
    session.append(event("nine", "n", 9));
    session.append(event("e19", "n", 19));

    assertThat(session.state().get("n")).isEqualTo(9);
    assertThat(get(ID).events()).hasSize(21);
  }

  @Test
  default void eventIsNeverSeenWithoutItsDeltaNorTheDeltaWithoutTheEvent() throws Exception {
    assumeTrue(can(Capability.SNAPSHOT_IS_OF_ONE_INSTANT));
    service().create(ID, Map.of("last", 0, "user:last", 0, "app:last", 0));
    new Storm()
        .once(
            2,
            thread -> {
              Session session = service().get(ID);
              for (int i = 0; i < 300; i++) {
                for (; ; ) {
                  long version = session.version();
                  int next = (int) version + 1;
                  try {
                    session.append(
                        event(
                            thread + ":" + next, "last", next, "user:last", next, "app:last", next),
                        version);
                    break;
                  } catch (SessionConflictException e) {
                    // the other one was first
                  }
                }
              }
            })
        .repeat(
            1,
            thread -> {
              SessionSnapshot snapshot = service().get(ID).snapshot();
              int count = snapshot.events().size();
              assertThat(snapshot.info().version()).isEqualTo(count);
              assertThat(snapshot.state().asMap())
                  .isEqualTo(Map.of("last", count, "user:last", count, "app:last", count));
            })
        .repeat(
            1,
            thread -> {
              Session session = service().get(ID);
              int seen = session.events().size();
              int last = (Integer) session.state().require("app:last");
              int later = session.events().size();
              assertThat(last).isBetween(seen, later);
            })
        .run();

    assertThat(get(ID).state().get("user:last")).isEqualTo(600);
  }

  @Test
  default void deltaOverAllScopesIsSeenWholeByEveryReader() throws Exception {
    assumeTrue(can(Capability.STATE_IS_ATOMIC_ACROSS_KEYS));
    SessionId other = new SessionId(APP, USER, "s2");
    service().create(ID, Map.of("a", 1_000, "user:b", 1_000, "app:c", 1_000));
    service().create(other);
    new Storm()
        .once(
            2,
            thread -> {
              Session session = service().get(ID);
              for (int i = 0; i < 500; i++) {
                int x = i * 2 + thread;
                if (i % 2 == 0) {
                  session.state().apply(delta("a", 3_000 - 2 * x, "user:b", x, "app:c", x));
                } else {
                  session.append(
                      event(thread + ":" + i, "a", 3_000 - 2 * x, "user:b", x, "app:c", x));
                }
              }
            })
        .repeat(
            1,
            thread -> {
              StateSnapshot all = service().get(ID).state().all();
              assertThat(
                      (Integer) all.require("a")
                          + (Integer) all.require("user:b")
                          + (Integer) all.require("app:c"))
                  .isEqualTo(3_000);
            })
        .repeat(
            1,
            thread -> {
              StateSnapshot all = service().get(other).state().all();
              assertThat(all.get("user:b")).isEqualTo(all.get("app:c"));
            })
        .run();
  }

  @Test
  @DisplayName("The caller goes on writing to an event it has appended: while it is appended")
  default void eventKeepsOneContentWhileTheCallerChangesItsMaps() throws Exception {
    Session session = service().create(ID);
    Map<String, Object> mutable = new ConcurrentHashMap<>(Map.of("x", 0));
    List<Object> nested = new CopyOnWriteArrayList<>(List.of(0));
    mutable.put("nested", nested);
    List<SessionEvent> kept = new ArrayList<>();
    new Storm()
        .once(
            1,
            thread -> {
              for (int i = 0; i < 200; i++) {
                SessionEvent event =
                    SessionEvent.builder("agent").content(mutable).metadata(mutable).build();
                kept.add(session.append(event).event());
                assertThat(event.content()).isEqualTo(kept.get(i).content());
              }
            })
        .repeat(
            1,
            thread -> {
              mutable.merge("x", 1, (a, b) -> (Integer) a + (Integer) b);
              nested.set(0, mutable.get("x"));
            })
        .repeat(
            1, thread -> session.events().forEach(event -> assertThat(event.content()).isNotNull()))
        .run();

    assertThat(get(ID).events()).isEqualTo(kept);
  }
}
