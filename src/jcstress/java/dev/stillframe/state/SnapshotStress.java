package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A snapshot is the state at one instant. Its walk meets x before y. */
public class SnapshotStress {

  /** Two sets in one order are never seen in the other. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before both.")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Between the two.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After both.")
  @Outcome(expect = FORBIDDEN, desc = "The second set without the first.")
  @State
  public static class SetsAgainstAll {
    private final SessionState state = SessionState.create();

    public SetsAgainstAll() {
      state.set("x", 0);
      state.set("y", 0);
    }

    @Actor
    public void write() {
      state.set("x", 1);
      state.set("y", 1);
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot all = state.all();
      r.r1 = all.get("x");
      r.r2 = all.get("y");
    }
  }

  /** Broken: the snapshot is a plain copy of a concurrent map, which has no one instant. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before both.")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Between the two.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After both.")
  @Outcome(expect = FORBIDDEN, desc = "The second set without the first.")
  @State
  public static class SetsAgainstAllWeakened {
    private final Map<String, Object> state = new ConcurrentHashMap<>(Map.of("x", 0, "y", 0));

    @Actor
    public void write() {
      state.put("x", 1);
      state.put("y", 1);
    }

    @Actor
    public void read(LL_Result r) {
      Map<String, Object> all = new HashMap<>(state);
      r.r1 = all.get("x");
      r.r2 = all.get("y");
    }
  }

  /** Two who each write and then take a snapshot agree on which write was first. */
  @JCStressTest
  @Outcome(id = "null, 1", expect = ACCEPTABLE, desc = "x was first.")
  @Outcome(id = "1, null", expect = ACCEPTABLE, desc = "y was first.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both snapshots came after both sets.")
  @Outcome(expect = FORBIDDEN, desc = "Each says that its own was first.")
  @State
  public static class SetAndAllAgainstSetAndAll {
    private final SessionState state = SessionState.create();

    @Actor
    public void first(LL_Result r) {
      state.set("x", 1);
      r.r1 = state.all().get("y");
    }

    @Actor
    public void second(LL_Result r) {
      state.set("y", 1);
      r.r2 = state.all().get("x");
    }
  }

  /** One who takes a snapshot and one who gets agree, too. */
  @JCStressTest
  @Outcome(id = "null, 1", expect = ACCEPTABLE, desc = "x was first.")
  @Outcome(id = "1, null", expect = ACCEPTABLE, desc = "y was first.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both reads came after both sets.")
  @Outcome(expect = FORBIDDEN, desc = "Each says that its own was first.")
  @State
  public static class SetAndAllAgainstSetAndGet {
    private final SessionState state = SessionState.create();

    @Actor
    public void first(LL_Result r) {
      state.set("x", 1);
      r.r1 = state.all().get("y");
    }

    @Actor
    public void second(LL_Result r) {
      state.set("y", 1);
      r.r2 = state.get("x");
    }
  }

  /**
   * Of two snapshots, the second never shows less; the keys are new. Results count the sets seen.
   */
  @JCStressTest
  @Outcome(id = "0, [012]", expect = ACCEPTABLE, desc = "The first is of before both sets.")
  @Outcome(id = "1, [12]", expect = ACCEPTABLE, desc = "The first is of between the two.")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "The first is of after both.")
  @Outcome(expect = FORBIDDEN, desc = "Backwards, or (-1) y without x.")
  @State
  public static class SetsAgainstTwoSnapshots {
    private final SessionState state = SessionState.create();

    @Actor
    public void write() {
      state.set("x", 1);
      state.set("y", 1);
    }

    @Actor
    public void read(II_Result r) {
      r.r1 = setsSeen(state.all());
      r.r2 = setsSeen(state.all());
    }

    private static int setsSeen(StateSnapshot all) {
      boolean x = all.get("x") != null;
      return all.get("y") == null ? (x ? 1 : 0) : (x ? 2 : -1);
    }
  }
}
