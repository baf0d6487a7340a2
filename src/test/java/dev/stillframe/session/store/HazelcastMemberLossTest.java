package dev.stillframe.session.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import dev.stillframe.session.AppendResult;
import dev.stillframe.session.AppendResult.Outcome;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionEvent;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionService;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.Storm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member dies while everybody appends: nothing acknowledged is lost, nothing applied twice. */
class HazelcastMemberLossTest {
  private static final int THREADS = 6;
  private static final int EVENTS = 60;
  private static final int DYING = 2;

  private static SessionId id(int thread) {
    return new SessionId("travel", "user-" + thread % 2, "s" + thread % 3);
  }

  private static SessionEvent event(int thread, int i) {
    String name = thread + ":" + i;
    return SessionEvent.builder("agent")
        .id(name)
        .delta(
            StateDelta.builder()
                .set("k" + name, i)
                .set("last", name)
                .set("user:" + name, i)
                .set("app:last", name)
                .set("app:of:" + id(thread).user() + id(thread).session(), name)
                .build())
        .build();
  }

  @Test
  @Timeout(120)
  void nothingAcknowledgedIsLostAndNothingIsAppliedTwice() throws Exception {
    try (Cluster cluster = new Cluster()) {
      StoreOptions options = StoreOptions.builder().build();
      List<SessionService> services = new ArrayList<>();
      for (int member = 0; member < 3; member++) {
        services.add(cluster.service(member, options));
      }
      for (int thread = 0; thread < THREADS; thread++) {
        if (services.get(0).find(id(thread)).isEmpty()) {
          services.get(0).create(id(thread));
        }
      }
      Map<String, Long> acknowledged = new ConcurrentHashMap<>();
      AtomicInteger failed = new AtomicInteger();
      AtomicInteger afterwards = new AtomicInteger();
      new Storm()
          .once(
              THREADS,
              thread -> {
                int member = thread % 3;
                for (int i = 0; i < EVENTS; i++) {
                  for (; ; ) {
                    try {
                      AppendResult result =
                          services.get(member).get(id(thread)).append(event(thread, i));
                      assertThat(result.outcome()).isIn(Outcome.APPENDED, Outcome.DUPLICATE);
                      acknowledged.put(thread + ":" + i, result.event().sequence());
                      break;
                    } catch (HazelcastInstanceNotActiveException dead) {
                      failed.incrementAndGet();
                      member = 0; // the same event again, through one that lives
                    }
                  }
                  if (failed.get() > 0) {
                    afterwards.incrementAndGet();
                  }
                }
              })
          .once(
              1,
              thread -> {
                while (acknowledged.size() < THREADS * EVENTS / 2) {
                  Thread.onSpinWait();
                }
                cluster.kill(DYING);
              })
          .run();

      assertThat(afterwards).as("appends after the loss").hasPositiveValue();
      assertThat(acknowledged).hasSize(THREADS * EVENTS);
      for (int thread = 0; thread < THREADS; thread++) {
        Session session = services.get(1).get(id(thread));
        List<SessionEvent> events = session.events();
        assertThat(events).extracting(SessionEvent::id).doesNotHaveDuplicates();
        assertThat(events).extracting(SessionEvent::sequence).isSorted().doesNotHaveDuplicates();
        int of = thread;
        for (int i = 0; i < EVENTS; i++) {
          String name = thread + ":" + i;
          assertThat(events)
              .filteredOn(event -> event.id().equals(name))
              .singleElement()
              .matches(event -> event.sequence() == acknowledged.get(name));
          assertThat(session.state().get("user:" + name))
              .as("user:" + name + " of " + of)
              .isEqualTo(i);
        }
        assertThat(session.version()).isEqualTo(events.size());
        SessionEvent last = events.get(events.size() - 1);
        assertThat(session.state().get("last")).isEqualTo(last.id());
        assertThat(session.state().get("app:of:" + session.id().user() + session.id().session()))
            .as("the last write of the session to a key that all share")
            .isEqualTo(last.id());
        assertThat(own(session.state().all().asMap()))
            .isEqualTo(own(session.stateAsOf(last.id()).asMap()));
      }
    }
  }

  private static Map<String, Object> own(Map<String, Object> state) {
    return Scope.only(state, scope -> scope == Scope.OWN);
  }
}
