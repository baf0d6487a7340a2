package dev.stillframe.session;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.InMemorySessionService;
import dev.stillframe.state.StateDelta;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does it cost to make an event with a delta of three keys, and append it to a session that
 * has some events already?
 *
 * <p>A session grows by what is appended to it. So each invocation makes 50 appends to a session
 * that was made for it; the time is that of one. Ids are given, so that no random numbers are
 * measured.
 *
 * <pre>{@code
 * mvn -Pjmh verify -Djmh.include=AppendBenchmark
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class AppendBenchmark {
  private static final int APPENDS = 50;

  /** Who holds the sessions. */
  public enum Service {
    STILLFRAME(Ours::new),
    GOOGLE_ADK(Adk::new);

    private final Supplier<Sessions> factory;

    Service(Supplier<Sessions> factory) {
      this.factory = factory;
    }
  }

  /** A service, and the session that was created last. */
  interface Sessions {
    void create();

    Object append(String id, Object value);
  }

  private static final class Ours implements Sessions {
    private final SessionService service = SessionService.inMemory();
    private Session session;

    @Override
    public void create() {
      SessionId id = new SessionId("app", "user", "session");
      service.delete(id);
      session = service.create(id);
    }

    @Override
    public Object append(String id, Object value) {
      StateDelta delta =
          StateDelta.builder().set("step", value).set("from", value).set("to", value).build();
      return session.append(SessionEvent.builder("agent").id(id).delta(delta).build());
    }
  }

  private static final class Adk implements Sessions {
    private final InMemorySessionService service = new InMemorySessionService();
    private com.google.adk.sessions.Session session;

    @Override
    public void create() {
      session =
          service.createSession("app", "user", new ConcurrentHashMap<>(), "session").blockingGet();
    }

    @Override
    public Object append(String id, Object value) {
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
      return service.appendEvent(session, event).blockingGet();
    }
  }

  @State(Scope.Benchmark)
  public static class Run {
    @Param public Service service;

    @Param({"10", "100", "10000"})
    public int events;

    private Sessions sessions;
    private String[] ids;

    @Setup
    public void open() {
      sessions = service.factory.get();
      ids = new String[events + APPENDS];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = "event-" + i;
      }
    }

    @Setup(Level.Invocation)
    public void fill() {
      sessions.create();
      for (int i = 0; i < events; i++) {
        sessions.append(ids[i], i);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void append(Run run, Blackhole blackhole) {
    for (int i = run.events; i < run.ids.length; i++) {
      blackhole.consume(run.sessions.append(run.ids[i], i));
    }
  }
}
