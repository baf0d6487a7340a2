package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.delta;
import static dev.stillframe.session.SessionContract.event;
import static dev.stillframe.session.SessionContract.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.session.AppendResult.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Appending by one thread. */
public interface AppendContract extends SessionContract {

  @Test
  default void eventIsStoredWithAllThatItHolds() {
    Session session = service().create(ID);
    SessionEvent event =
        SessionEvent.builder("planner")
            .id("e1")
            .invocationId("run-1")
            .instant(Instant.parse("2026-03-04T05:06:07.123456Z"))
            .content(Map.of("text", "Leave at nine", "parts", Arrays.asList(1, null, "x")))
            .metadata(Map.of("tokens", 12))
            .delta(delta("from", 900, "gone", null))
            .build();

    AppendResult result = session.append(event);

    assertThat(result.outcome()).isEqualTo(Outcome.APPENDED);
    assertThat(result.version()).isEqualTo(1);
    assertThat(result.event()).isEqualTo(event.stored(event.delta(), 1));
    assertThat(event.sequence()).isZero();
    SessionEvent stored = get(ID).events().get(0);
    assertThat(stored).isEqualTo(result.event());
    assertThat(stored.author()).isEqualTo("planner");
    assertThat(stored.invocationId()).isEqualTo("run-1");
    assertThat(stored.instant()).isEqualTo(event.instant());
    assertThat(stored.content()).isEqualTo(event.content());
    assertThat(stored.metadata()).isEqualTo(Map.of("tokens", 12));
    assertThat(stored.delta()).isEqualTo(event.delta());
    assertThat(stored.isPartial()).isFalse();
  }

  @Test
  default void deltaTakesEffectWithTheEvent() {
    Session session = service().create(ID, Map.of("a", 1, "b", 1));
    clock().advance(Duration.ofSeconds(5));

    session.append(event("e1", "a", 2, "b", null, "user:c", 3, "app:d", 4));

    for (Session seen : List.of(session, get(ID))) {
      assertThat(seen.state().all().asMap()).isEqualTo(Map.of("a", 2, "user:c", 3, "app:d", 4));
      assertThat(ids(seen)).containsExactly("e1");
      assertThat(seen.version()).isEqualTo(1);
      assertThat(seen.lastChanged()).isEqualTo(clock().instant());
      assertThat(seen.created()).isEqualTo(clock().instant().minusSeconds(5));
    }
  }

  @Test
  @DisplayName("A late saver restores its old copy of the whole session")
  default void appendThroughAnOldHandleRestoresNothing() {
    service().create(ID);
    Session first = service().get(ID);
    Session second = fresh().get(ID);

    first.append(event("e1", "a", 1));
    second.append(event("e2", "b", 2));

    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(ids(get(ID))).containsExactly("e1", "e2");
  }

  @Test
  default void appendThatExpectsAnotherVersionIsRefusedAndNothingIsStored() {
    Session session = service().create(ID);
    long loaded = session.version();
    session.append(event("e1", "a", 1));

    assertThatThrownBy(() -> session.append(event("e2", "a", 2, "user:a", 2), loaded))
        .isInstanceOfSatisfying(
            SessionConflictException.class,
            e -> {
              assertThat(e.id()).isEqualTo(ID);
              assertThat(e.expected()).isZero();
              assertThat(e.actual()).isEqualTo(1);
            });

    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("a", 1));
    assertThat(ids(get(ID))).containsExactly("e1");
    assertThat(service().stats().conflicts()).isEqualTo(1);
    assertThat(session.append(event("e2", "a", 2), 1).version()).isEqualTo(2);
  }

  @Test
  @DisplayName("One event applied twice: one after the other")
  default void eventThatIsThereAlreadyHasNoEffectAndSaysSo() {
    Session session = service().create(ID);
    session.append(event("e1", "n", 5));
    session.append(event("e2", "n", 9));

    AppendResult again = fresh().get(ID).append(event("e1", "n", 5, "m", 1));

    assertThat(again.outcome()).isEqualTo(Outcome.DUPLICATE);
    assertThat(again.event().delta()).isEqualTo(delta("n", 5));
    assertThat(again.event().sequence()).isEqualTo(1);
    assertThat(again.version()).isEqualTo(2);
    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("n", 9));
    assertThat(ids(get(ID))).containsExactly("e1", "e2");
  }

  @Test
  default void retryOfAnAppendThatExpectedAVersionFindsItsEvent() {
    Session session = service().create(ID);
    session.append(event("e1", "n", 1), 0);

    assertThat(session.append(event("e1", "n", 1), 0).outcome()).isEqualTo(Outcome.DUPLICATE);
  }

  @Test
  @DisplayName("A failed append has already changed the session: what is refused")
  default void refusedAppendLeavesNothingBehindAndCanBeRepeated() {
    Session session = service().create(ID, Map.of("k", 0));
    SessionEvent bad = event("e1", "k", 1, "user:k", 1, "temp:t", 2, "user:", 3);

    assertThatThrownBy(() -> session.append(bad))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'user:'");
    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("k", 0));
    assertThat(get(ID).events()).isEmpty();
    assertThat(session.version()).isZero();

    AppendResult retry = session.append(event("e1", "k", 1, "user:k", 1, "temp:t", 2));
    assertThat(retry.outcome()).isEqualTo(Outcome.APPENDED);
    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("k", 1, "user:k", 1));
    assertThat(ids(get(ID))).containsExactly("e1");
  }

  @Test
  default void versionThatNoSessionHasIsRefused() {
    Session session = service().create(ID);
    for (long version : new long[] {-1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> session.append(event("e1", "k", 1), version))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(version));
    }
    assertThat(get(ID).events()).isEmpty();
    assertThat(get(ID).version()).isZero();
  }

  @Test
  default void partialEventChangesNothing() {
    Session session = service().create(ID);
    SessionEvent partial =
        SessionEvent.builder("agent")
            .id("e1")
            .partial(true)
            .delta(delta("k", 1, "user:k", 1))
            .build();

    AppendResult result = session.append(partial);

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.event()).isEqualTo(partial);
    assertThat(get(ID).events()).isEmpty();
    assertThat(get(ID).version()).isZero();
    assertThat(session.state().size()).isZero();
    assertThat(session.append(event("e1", "k", 1)).outcome()).isEqualTo(Outcome.APPENDED);
  }

  @Test
  @DisplayName("Events of one millisecond are thrown away as duplicates")
  default void eventsOfOneInstantAreAllKeptInOrder() {
    Session session = service().create(ID);
    for (int i = 0; i < 100; i++) {
      session.append(
          SessionEvent.builder("agent")
              .id("e" + i)
              .instant(clock().instant())
              .content(i % 2 == 0 ? "same" : "text " + i)
              .build());
    }

    List<SessionEvent> events = get(ID).events();
    assertThat(events)
        .extracting(SessionEvent::id)
        .hasSize(100)
        .startsWith("e0", "e1", "e2")
        .endsWith("e99");
    assertThat(events).extracting(SessionEvent::sequence).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("State rebuilt from the record differs from the live one")
  default void stateRebuiltFromTheRecordIsTheLiveOne() {
    Session session = service().create(ID, Map.of("tenant", "t1", "user:lang", "en"));
    session.append(event("e1", "k1", 1, "temp:x", 1));
    session.append(event("e2", "k2", 2, "app:a", List.of(1)));
    session.append(event("e3", "k1", null));

    Session loaded = get(ID);
    assertThat(loaded.stateAsOf("e3")).isEqualTo(loaded.state().all());
    assertThat(loaded.stateAsOf("e3").asMap())
        .isEqualTo(Map.of("tenant", "t1", "user:lang", "en", "k2", 2, "app:a", List.of(1)));
    assertThat(loaded.stateAsOf("e2").get("k1")).isEqualTo(1);
    assertThat(loaded.stateAsOf("e1").asMap())
        .isEqualTo(Map.of("tenant", "t1", "user:lang", "en", "k1", 1));
    assertThat(loaded.initialState().asMap()).isEqualTo(Map.of("tenant", "t1", "user:lang", "en"));
    assertThatThrownBy(() -> loaded.stateAsOf("e9"))
        .isInstanceOfSatisfying(
            SessionEventNotFoundException.class, e -> assertThat(e.event()).isEqualTo("e9"));
  }

  @Test
  default void directWriteIsLiveAtOnceAndBelongsToNoEvent() {
    Session session = service().create(ID);
    session.append(event("e1", "a", 1));

    session.state().set("b", 2);
    session.state().apply(delta("user:c", 3, "a", 0));

    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("a", 0, "b", 2, "user:c", 3));
    assertThat(get(ID).version()).isEqualTo(1);
    assertThat(get(ID).stateAsOf("e1").asMap()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void snapshotShowsTheWholeSession() {
    Session session = service().create(ID, Map.of("a", 1));
    SessionSnapshot before = session.snapshot();
    session.append(event("e1", "a", 2, "temp:t", 3));

    SessionSnapshot after = session.snapshot();

    assertThat(before.info())
        .isEqualTo(new SessionInfo(ID, 0, 0, clock().instant(), clock().instant()));
    assertThat(before.state().asMap()).isEqualTo(Map.of("a", 1));
    assertThat(before.events()).isEmpty();
    assertThat(after.info().version()).isEqualTo(1);
    assertThat(after.info().eventCount()).isEqualTo(1);
    assertThat(after.state().asMap()).isEqualTo(Map.of("a", 2, "temp:t", 3));
    assertThat(after.events()).isEqualTo(session.events());
  }

  @Test
  default void countersCountWhatWasDone() {
    Session session = service().create(ID);
    session.append(event("e1"));
    session.append(event("e1"));
    session.append(event("e2"));
    service().create(APP, USER);
    service().delete(ID);

    SessionStats stats = service().stats();
    assertThat(stats.sessions()).isEqualTo(1);
    assertThat(stats.created()).isEqualTo(2);
    assertThat(stats.deleted()).isEqualTo(1);
    assertThat(stats.appended()).isEqualTo(2);
    assertThat(stats.duplicates()).isEqualTo(1);
  }
}
