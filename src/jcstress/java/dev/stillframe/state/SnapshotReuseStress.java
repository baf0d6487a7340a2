package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The snapshot that is kept for reuse is never older than what anybody has seen. */
public class SnapshotReuseStress {

  /**
   * A write that get has shown is in the snapshot that follows, with what its writer did before.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before the set.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The set came between.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After the set.")
  @Outcome(expect = FORBIDDEN, desc = "A snapshot of before what get has shown, or (-1) no steps.")
  @State
  public static class SetAgainstGetAndAll {
    private static final class Plan {
      int steps = -1; // neither final nor volatile
    }

    private final SessionState state = SessionState.create();

    public SetAgainstGetAndAll() {
      write(0);
      state.all(); // is kept
    }

    private void write(int steps) {
      Plan plan = new Plan();
      plan.steps = steps;
      state.set("x", plan);
    }

    @Actor
    public void write() {
      write(1);
    }

    @Actor
    public void read(II_Result r) {
      r.r1 = ((Plan) state.get("x")).steps;
      r.r2 = ((Plan) state.all().get("x")).steps;
    }
  }

  /** Broken: the kept snapshot is dropped only after the write has taken effect. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before the set.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The set came between.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After the set.")
  @Outcome(expect = FORBIDDEN, desc = "A snapshot of before what get has shown.")
  @State
  public static class SetAgainstGetAndAllWeakened {
    private final Map<String, Object> map = new ConcurrentHashMap<>(Map.of("x", 0));
    private final AtomicReference<Map<String, Object>> still =
        new AtomicReference<>(Map.copyOf(map));

    @Actor
    public void write() {
      map.put("x", 1);
      still.set(null);
    }

    @Actor
    public void read(LL_Result r) {
      r.r1 = map.get("x");
      Map<String, Object> kept = still.get();
      r.r2 = (kept == null ? Map.copyOf(map) : kept).get("x");
    }
  }

  /**
   * Who has set a key sees it in a snapshot, and so does who comes later, whoever else took one.
   */
  @JCStressTest
  @Outcome(id = "1, [01], 1", expect = ACCEPTABLE, desc = "The other came before or after the set.")
  @Outcome(expect = FORBIDDEN, desc = "An outdated snapshot was kept.")
  @State
  public static class SetAndAllAgainstAll {
    private final SessionState state = SessionState.create();

    public SetAndAllAgainstAll() {
      state.set("x", 0); // drops what was kept
    }

    @Actor
    public void write(LLL_Result r) {
      state.set("x", 1);
      r.r1 = state.all().get("x");
    }

    @Actor
    public void read(LLL_Result r) {
      r.r2 = state.all().get("x");
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = state.all().get("x");
    }
  }
}
