package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.event;
import static dev.stillframe.session.SessionContract.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.Storm;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Rewinding sessions. */
public interface RewindContract extends SessionContract {

  @Test
  default void rewindRestoresEveryKeyThatAnUndoneEventTouched() {
    Session session = service().create(ID, Map.of("a", 0, "b", 0, "untouched", 0, "user:u", 0));
    session.append(event("e1", "a", 1, "c", 1));
    session.append(event("e2", "a", 2, "b", null, "user:u", 2, "app:p", 2));
    session.append(event("e3", "a", null, "c", 3, "d", 3, "user:u", 3, "app:p", null));
    clock().advance(Duration.ofSeconds(1));

    assertThat(service().rewind(ID, "e1")).isEqualTo(2);

    assertThat(get(ID).state().all().asMap())
        .isEqualTo(Map.of("a", 1, "b", 0, "c", 1, "untouched", 0, "user:u", 0));
    assertThat(ids(get(ID))).containsExactly("e1");
    assertThat(get(ID).version()).isEqualTo(4);
    assertThat(get(ID).lastChanged()).isEqualTo(clock().instant());
    assertThat(get(ID).initialState().get("b")).isEqualTo(0);
    assertThat(get(ID).stateAsOf("e1").get("a")).isEqualTo(1);
  }

  @Test
  default void sequenceNumbersOfUndoneEventsAreNotGivenAgainAndTheirIdsAreFree() {
    Session session = service().create(ID);
    session.append(event("e1"));
    session.append(event("e2", "k", 2));
    session.append(event("e3", "k", 3));

    service().rewind(ID, "e1");
    AppendResult again = session.append(event("e2", "k", "again"));

    assertThat(again.outcome()).isEqualTo(Outcome.APPENDED);
    assertThat(again.event().sequence()).isGreaterThan(3);
    assertThat(get(ID).state().get("k")).isEqualTo("again");
    assertThat(ids(get(ID))).containsExactly("e1", "e2");
  }

  /** Whether a key still has the value of an event is to be told of every kind of value. */
  @Test
  default void sharedKeysOfEveryKindAreRestored() {
    List<Object> values =
        List.of(
            "text",
            Long.MAX_VALUE,
            1.5,
            new BigDecimal("1.50"),
            Instant.EPOCH,
            List.of(1, "x"),
            Map.of("k", List.of()),
            Set.of(1),
            new byte[] {1, 2},
            new String[] {"a"},
            new Object[] {1, new int[] {2}, List.of("x")});
    Session session = service().create(ID);
    session.append(event("e1"));
    StateDelta.Builder all = StateDelta.builder();
    for (int i = 0; i < values.size(); i++) {
      all.set("user:" + i, values.get(i));
    }
    session.append(SessionEvent.builder("agent").id("e2").delta(all.build()).build());
    assertThat(get(ID).state().size()).isEqualTo(values.size());

    service().rewind(ID, "e1");

    assertThat(get(ID).state().all().asMap()).isEmpty();
  }

  @Test
  default void rewindEndsHoweverMuchIsAppended() throws Exception {
    Session session = service().create(ID);
    session.append(event("start"));
    AtomicLong numbers = new AtomicLong();
    new Storm()
        .repeat(
            2, thread -> service().get(ID).append(event("e" + numbers.incrementAndGet(), "n", 1)))
        .once(
            1,
            thread -> {
              for (int i = 0; i < 5; i++) {
                Thread.yield();
                service().rewind(ID, "start");
              }
            })
        .run();
    assertThat(ids(get(ID))).startsWith("start").doesNotHaveDuplicates();
  }

  @Test
  default void sharedKeyThatSomebodyElseHasChangedSinceIsLeftAlone() {
    Session session = service().create(ID);
    Session other = service().create(new SessionId(APP, USER, "s2"));
    other.state().apply(SessionContract.delta("user:a", "before", "user:b", "before"));
    session.append(event("e1"));
    session.append(event("e2", "user:a", "ours", "user:b", "ours"));
    other.append(event("o1", "user:b", "theirs"));

    service().rewind(ID, "e1");

    assertThat(get(ID).state().all().asMap())
        .isEqualTo(Map.of("user:a", "before", "user:b", "theirs"));
  }

  @Test
  default void directWriteToAKeyThatNoUndoneEventTouchedStays() {
    Session session = service().create(ID);
    session.append(event("e1", "a", 1));
    session.append(event("e2", "b", 2));
    session.state().set("a", "direct");
    session.state().set("b", "direct");

    service().rewind(ID, "e1");

    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("a", "direct"));
  }

  @Test
  default void rewindToTheLastEventChangesNothing() {
    Session session = service().create(ID);
    session.append(event("e1", "a", 1));

    assertThat(service().rewind(ID, "e1")).isZero();
    assertThat(get(ID).version()).isEqualTo(1);
    assertThatThrownBy(() -> service().rewind(ID, "e9"))
        .isInstanceOf(SessionEventNotFoundException.class)
        .hasMessageContaining("e9");
  }

  @Test
  default void appendThatExpectsTheVersionBeforeARewindIsRefused() {
    Session session = service().create(ID);
    session.append(event("e1"));
    session.append(event("e2"));
    service().rewind(ID, "e1");

    assertThatThrownBy(() -> session.append(event("e3"), 2))
        .isInstanceOf(SessionConflictException.class);
    assertThat(session.append(event("e3"), 3).version()).isEqualTo(4);
  }

  @Test
  default void rewindsAmidAppendsLeaveAStateThatFitsTheEvents() throws Exception {
    Session session = service().create(ID, Map.of("n", 0));
    session.append(event("start"));
    new Storm()
        .once(
            2,
            thread -> {
              for (int i = 0; i < 60; i++) {
                service()
                    .get(ID)
                    .append(event(thread + ":" + i, "n", thread + ":" + i, "k" + i, i));
              }
            })
        .once(
            1,
            thread -> {
              for (int i = 0; i < 20; i++) {
                service().rewind(ID, "start");
              }
            })
        .run();

    Session loaded = get(ID);
    String last = ids(loaded).get(loaded.events().size() - 1);
    assertThat(loaded.state().all()).isEqualTo(loaded.stateAsOf(last));
    assertThat(ids(loaded)).startsWith("start").doesNotHaveDuplicates();
  }
}
