package dev.stillframe.session;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.InMemorySessionService;
import dev.stillframe.state.StateDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to make an event with a delta of three keys, and append it to a session that
 * has some events already?
 *
 * <p>A session grows by what is appended to it. So each run makes 1,000 appends to sessions that
 * were made for it: one to each, or, where the sessions are long, 50. The time is that of 1,000
 * appends. Ids are given, so that no random numbers are measured.
 *
 * <pre>{@code
 * mvn -Pjmh verify -Djmh.include=AppendBenchmark
 * }</pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 60, batchSize = AppendBenchmark.APPENDS)
@Measurement(iterations = 60, batchSize = AppendBenchmark.APPENDS)
public class AppendBenchmark {
  static final int APPENDS = 1_000;
  private static final int MAX_EVENTS = 200_000;

  /** Who holds the sessions. */
  public enum Service {
    STILLFRAME(Ours::new),
    GOOGLE_ADK(Adk::new);

    private final Supplier<Sessions> factory;

    Service(Supplier<Sessions> factory) {
      this.factory = factory;
    }
  }

  /** Some sessions, appended to in turn. */
  interface Sessions {
    void create(String name);

    Object append(int session, String id, Object value);
  }

  private static final class Ours implements Sessions {
    private final SessionService service = SessionService.inMemory();
    private final List<Session> sessions = new ArrayList<>();

    @Override
    public void create(String name) {
      sessions.add(service.create(new SessionId("app", "user", name)));
    }

    @Override
    public Object append(int session, String id, Object value) {
      StateDelta delta =
          StateDelta.builder().set("step", value).set("from", value).set("to", value).build();
      return sessions
          .get(session)
          .append(SessionEvent.builder("agent").id(id).delta(delta).build());
    }
  }

  private static final class Adk implements Sessions {
    private final InMemorySessionService service = new InMemorySessionService();
    private final List<com.google.adk.sessions.Session> sessions = new ArrayList<>();

    @Override
    public void create(String name) {
      sessions.add(
          service.createSession("app", "user", new ConcurrentHashMap<>(), name).blockingGet());
    }

    @Override
    public Object append(int session, String id, Object value) {
      ConcurrentHashMap<String, Object> delta = new ConcurrentHashMap<>();
      delta.put("step", value);
      delta.put("from", value);
      delta.put("to", value);
      Event event =
          Event.builder()
              .id(id)
              .author("agent")
              .actions(EventActions.builder().stateDelta(delta).build())
              .build();
      return service.appendEvent(sessions.get(session), event).blockingGet();
    }
  }

  @State(Scope.Benchmark)
  public static class Run {
    @Param public Service service;

    @Param({"10", "100", "10000"})
    public int events;

    private Sessions sessions;
    private int count;
    private String[] ids;
    private int next;

    @Setup(Level.Iteration)
    public void fill() {
      sessions = service.factory.get();
      count = Math.min(APPENDS, MAX_EVENTS / events);
      for (int s = 0; s < count; s++) {
        sessions.create("s" + s);
        for (int e = 0; e < events; e++) {
          sessions.append(s, "e" + e, e);
        }
      }
      ids = new String[APPENDS];
      for (int i = 0; i < APPENDS; i++) {
        ids[i] = "new" + i;
      }
      next = 0;
    }

    /** So that the next run's sessions find room without a collection of these. */
    @TearDown(Level.Iteration)
    public void drop() {
      sessions = null;
      System.gc();
    }
  }

  @Benchmark
  public Object append(Run run) {
    int i = run.next++;
    return run.sessions.append(i % run.count, run.ids[i], i);
  }
}
