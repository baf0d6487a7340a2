package dev.stillframe.session;

import static dev.stillframe.session.SessionContract.delta;
import static dev.stillframe.session.SessionContract.event;
import static dev.stillframe.session.SessionContract.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reading events: filters, order and time. */
public interface EventsContract extends SessionContract {

  private SessionEvent at(String id, Instant instant) {
    return SessionEvent.builder("agent").id(id).instant(instant).build();
  }

  @Test
  default void filtersRestrictTheEventsAndCombine() {
    Session session = service().create(ID);
    Instant start = clock().instant();
    for (int i = 0; i < 10; i++) {
      session.append(at("e" + i, start.plusSeconds(i)));
    }

    EventFilter lastThree = EventFilter.all().newest(3);
    EventFilter fromFive = EventFilter.all().notBefore(start.plusSeconds(5));
    assertThat(ids(fresh().get(ID, lastThree))).containsExactly("e7", "e8", "e9");
    assertThat(ids(fresh().get(ID, fromFive))).containsExactly("e5", "e6", "e7", "e8", "e9");
    assertThat(ids(fresh().get(ID, fromFive.newest(2)))).containsExactly("e8", "e9");
    assertThat(ids(fresh().get(ID, lastThree.notBefore(start.plusSeconds(9)))))
        .containsExactly("e9");
    assertThat(ids(fresh().get(ID, EventFilter.all().newest(0)))).isEmpty();
    assertThat(ids(fresh().get(ID, EventFilter.all().newest(100)))).hasSize(10);
    assertThat(ids(fresh().get(ID, EventFilter.all().notBefore(start.plusSeconds(100))))).isEmpty();
    assertThat(fresh().get(ID, lastThree).snapshot().events()).hasSize(3);
    assertThat(fresh().get(ID, lastThree).snapshot().info().eventCount()).isEqualTo(10);
    assertThat(ids(fresh().find(ID, lastThree).orElseThrow())).hasSize(3);
  }

  @Test
  default void filterOfAHandleShowsWhatIsNewestNow() {
    service().create(ID);
    Session handle = service().get(ID, EventFilter.all().newest(1));
    service().get(ID).append(event("e1"));
    assertThat(ids(handle)).containsExactly("e1");
    service().get(ID).append(event("e2"));
    assertThat(ids(handle)).containsExactly("e2");
  }

  @Test
  @DisplayName("The newest event is hidden by a time filter")
  default void whatBelongsToASessionDoesNotDependOnClocks() {
    Session session = service().create(ID);
    Instant now = clock().instant();
    session.append(at("ahead", now.plusMillis(200)));
    session.append(at("behind", now.minusMillis(200)));
    session.append(at("equal", now));

    assertThat(ids(get(ID))).containsExactly("ahead", "behind", "equal");
    assertThat(ids(fresh().get(ID, EventFilter.all().newest(2))))
        .containsExactly("behind", "equal");
    assertThat(ids(fresh().get(ID, EventFilter.all().notBefore(get(ID).lastChanged()))))
        .containsExactly("ahead", "equal");
  }

  @Test
  default void timeOfTheLastChangeDoesNotGoBackWithTheClock() {
    Session session = service().create(ID);
    session.append(event("e1"));
    Instant before = session.lastChanged();
    clock().advance(Duration.ofMinutes(-1));
    session.append(event("e2"));
    assertThat(session.lastChanged()).isEqualTo(before);
    service().rewind(ID, "e1");
    assertThat(session.lastChanged()).isEqualTo(before);
  }

  /** The deepest value that a state holds, wherever an event has values. */
  @Test
  default void deepValuesStayWhole() {
    Object deep = "bottom";
    for (int i = 0; i < 499; i++) {
      deep = List.of(deep);
    }
    Session session = service().create(ID, Map.of("k", deep));
    session.append(event("e1"));
    SessionEvent event =
        SessionEvent.builder("agent")
            .id("e2")
            .content(deep)
            .metadata(Map.of("m", deep))
            .delta(delta("k", null, "n", deep, "user:n", deep))
            .build();
    session.append(event);

    SessionEvent stored = get(ID).events().get(1);
    assertThat(stored.content()).isEqualTo(deep);
    assertThat(stored.metadata()).isEqualTo(event.metadata());
    assertThat(stored.delta()).isEqualTo(event.delta());
    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("n", deep, "user:n", deep));
    assertThat(get(ID).stateAsOf("e2").asMap()).isEqualTo(Map.of("n", deep, "user:n", deep));
    service().rewind(ID, "e1");
    assertThat(get(ID).state().all().asMap()).isEqualTo(Map.of("k", deep));
  }

  @Test
  @DisplayName("Times shift with the machine's zone")
  default void instantsStayTheSameInEveryZone() {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      // 01:30 comes twice in New York on this day: at 05:30 and at 06:30 UTC.
      Instant first = Instant.parse("2026-11-01T05:30:00.123456Z");
      Instant second = Instant.parse("2026-11-01T06:30:00.123456Z");
      Session session = service().create(ID);
      session.append(at("first", first));
      session.append(at("second", second));
      Instant created = session.created();
      for (String zone : new String[] {"UTC", "Asia/Tokyo"}) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        Session loaded = get(ID);
        assertThat(loaded.events())
            .extracting(SessionEvent::instant)
            .containsExactly(first, second);
        assertThat(loaded.created()).isEqualTo(created).isEqualTo(clock().instant());
        assertThat(loaded.lastChanged()).isEqualTo(clock().instant());
        assertThat(ids(fresh().get(ID, EventFilter.all().notBefore(second))))
            .containsExactly("second");
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  default void eventsThatWereReadDoNotChange() {
    Session session = service().create(ID);
    session.append(event("e1"));
    var read = session.events();
    session.append(event("e2"));

    assertThat(read).hasSize(1);
    assertThatThrownBy(() -> read.remove(0)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> read.add(event("e3")))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
