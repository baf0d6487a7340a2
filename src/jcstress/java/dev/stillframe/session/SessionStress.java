package dev.stillframe.session;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDelta;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Races of sessions in memory. */
public class SessionStress {
  private static final SessionId ID = new SessionId("app", "user", "s");

  private static SessionEvent event(String id, int value) {
    return SessionEvent.builder("agent")
        .id(id)
        .delta(StateDelta.builder().set("k", value).set("app:k", value).build())
        .build();
  }

  private static int number(Object value) {
    return value == null ? 0 : (Integer) value;
  }

  /** Who has seen what an event changed sees the event, and the other way round. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 0", "0, 0, 1", "0, 1, 1", "1, 1, 1"},
      expect = ACCEPTABLE,
      desc = "One instant.")
  @Outcome(
      expect = FORBIDDEN,
      desc = "The event without its delta, or the delta without its event.")
  @State
  public static class AppendAgainstGets {
    private final SessionService service = SessionService.inMemory();
    private final Session session = service.create(ID);

    @Actor
    public void append() {
      session.append(event("e1", 1));
    }

    @Actor
    public void read(III_Result r) {
      r.r1 = number(session.state().get("k"));
      r.r2 = session.events().size();
      r.r3 = number(session.state().get("app:k"));
    }
  }

  /**
   * Broken: the event is stored first, and then its delta applied, as services with a list beside a
   * map do.
   */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "One instant.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It came between the two.")
  @Outcome(expect = FORBIDDEN, desc = "The event without its delta.")
  @State
  public static class AppendAgainstGetsWeakened {
    private final SessionState state = SessionState.create();
    private final List<String> events = new CopyOnWriteArrayList<>();

    @Actor
    public void append() {
      events.add("e1");
      state.set("k", 1);
    }

    @Actor
    public void read(II_Result r) {
      r.r1 = events.size();
      r.r2 = number(state.get("k"));
    }
  }

  /** A snapshot shows both or neither. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 0", "1, 1, 1"},
      expect = ACCEPTABLE,
      desc = "One instant.")
  @Outcome(expect = FORBIDDEN, desc = "A part of an append.")
  @State
  public static class FirstAppendAgainstSnapshot {
    private final SessionService service = SessionService.inMemory();
    private final Session session = service.create(ID);

    @Actor
    public void append() {
      session.append(event("e1", 1));
    }

    @Actor
    public void read(III_Result r) {
      SessionSnapshot snapshot = session.snapshot();
      r.r1 = snapshot.events().size();
      r.r2 = number(snapshot.state().get("k"));
      r.r3 = number(snapshot.state().get("app:k"));
    }
  }

  /** Two appends have different sequence numbers, and neither is lost. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 2", "2, 1, 1"},
      expect = ACCEPTABLE,
      desc = "The last one's delta is there.")
  @Outcome(expect = FORBIDDEN, desc = "Lost, or out of order.")
  @State
  public static class AppendAgainstAppend {
    private final SessionService service = SessionService.inMemory();
    private final Session session = service.create(ID);

    @Actor
    public void first(LLL_Result r) {
      r.r1 = session.append(event("e1", 1)).event().sequence();
    }

    @Actor
    public void second(LLL_Result r) {
      r.r2 = session.append(event("e2", 2)).event().sequence();
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = session.events().size() == 2 ? session.state().get("k") : "lost";
    }
  }

  /** One event that two append is stored once. */
  @JCStressTest
  @Outcome(
      id = {"APPENDED, DUPLICATE, 1", "DUPLICATE, APPENDED, 1"},
      expect = ACCEPTABLE,
      desc = "Once.")
  @Outcome(expect = FORBIDDEN, desc = "Twice, or never.")
  @State
  public static class AppendOfOneEventByTwo {
    private final SessionService service = SessionService.inMemory();
    private final Session session = service.create(ID);

    @Actor
    public void first(LLL_Result r) {
      r.r1 = session.append(event("e1", 1)).outcome();
    }

    @Actor
    public void second(LLL_Result r) {
      r.r2 = session.append(event("e1", 1)).outcome();
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = session.events().size();
    }
  }

  /** A delete is final, whatever was under way. */
  @JCStressTest
  @Outcome(id = "appended, gone", expect = ACCEPTABLE, desc = "The append was first.")
  @Outcome(id = "refused, gone", expect = ACCEPTABLE, desc = "The delete was first.")
  @Outcome(expect = FORBIDDEN, desc = "The session is back.")
  @State
  public static class DeleteAgainstAppend {
    private final SessionService service = SessionService.inMemory();
    private final Session session = service.create(ID);

    @Actor
    public void append(LL_Result r) {
      try {
        session.append(event("e1", 1));
        r.r1 = "appended";
      } catch (SessionNotFoundException e) {
        r.r1 = "refused";
      }
    }

    @Actor
    public void delete() {
      service.delete(ID);
    }

    @Arbiter
    public void after(LL_Result r) {
      boolean shared = service.create(new SessionId("app", "user", "t")).state().contains("app:k");
      boolean fits = shared == "appended".equals(r.r1);
      r.r2 = service.find(ID).isPresent() ? "back" : fits ? "gone" : "half appended";
    }
  }

  /** Of two that create one id, one wins, and the session is wholly the winner's. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 2"},
      expect = ACCEPTABLE,
      desc = "One of them, and its keys.")
  @Outcome(expect = FORBIDDEN, desc = "Both, neither, or a mixture.")
  @State
  public static class CreateAgainstCreate {
    private final SessionService service = SessionService.inMemory();

    private int create(int by) {
      try {
        service.create(ID, Map.of("by", by, "user:by", by));
        return 1;
      } catch (SessionAlreadyExistsException e) {
        return service.find(ID).isPresent() ? 0 : -1;
      }
    }

    @Actor
    public void first(III_Result r) {
      r.r1 = create(1);
    }

    @Actor
    public void second(III_Result r) {
      r.r2 = create(2);
    }

    @Arbiter
    public void after(III_Result r) {
      SessionState state = service.get(ID).state();
      int own = number(state.get("by"));
      r.r3 = own == number(state.get("user:by")) ? own : -1;
    }
  }

  /** A session is found with all that it was created with. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "Not there, or there as a whole.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it.")
  @State
  public static class CreateAgainstFind {
    private final SessionService service = SessionService.inMemory();

    @Actor
    public void create() {
      service.create(ID, Map.of("k", 1, "app:k", 1));
    }

    @Actor
    public void find(II_Result r) {
      service
          .find(ID)
          .ifPresent(
              session -> {
                r.r1 = number(session.state().get("k"));
                r.r2 = number(session.state().get("app:k"));
              });
    }
  }
}
