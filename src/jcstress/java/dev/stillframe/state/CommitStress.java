package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A write over several keys takes effect at one instant. */
public class CommitStress {

  /** A snapshot shows all of a delta or none of it: a key it sets, one it removes, a new one. */
  @JCStressTest
  @Outcome(id = "0, 0, null", expect = ACCEPTABLE, desc = "Before the delta.")
  @Outcome(id = "1, null, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it.")
  @State
  public static class ApplyAgainstAll {
    private final SessionState state = SessionState.create();

    public ApplyAgainstAll() {
      state.set("x", 0);
      state.set("y", 0);
    }

    @Actor
    public void write() {
      state.apply(StateDelta.builder().set("x", 1).remove("y").set("z", 1).build());
    }

    @Actor
    public void read(LLL_Result r) {
      StateSnapshot all = state.all();
      r.r1 = all.get("x");
      r.r2 = all.get("y");
      r.r3 = all.get("z");
    }
  }

  /**
   * Broken: the snapshot looks past a commit that is installed but not stamped, instead of stamping
   * it. Its writer may have read the epoch before the snapshot took its own.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before the commit.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it.")
  @State
  public static class ApplyAgainstAllWeakened {
    private static final long INSTALLING = -2;
    private static final long INSTALLED = -1;

    private record Version(int value, AtomicLong commit, Version older) {}

    private final AtomicLong epoch = new AtomicLong(1);
    private volatile Version x = new Version(0, new AtomicLong(0), null);
    private volatile Version y = x;

    @Actor
    public void write() {
      AtomicLong commit = new AtomicLong(INSTALLING);
      x = new Version(1, commit, x);
      y = new Version(1, commit, y);
      commit.set(INSTALLED);
      commit.compareAndSet(INSTALLED, epoch.get());
    }

    @Actor
    public void read(II_Result r) {
      long announced = epoch.incrementAndGet();
      r.r1 = valueAt(announced, x);
      r.r2 = valueAt(announced, y);
    }

    private static int valueAt(long announced, Version head) {
      Version version = head;
      long stamp = version.commit.get();
      while (stamp == INSTALLING || stamp == INSTALLED || stamp >= announced) {
        version = version.older;
        stamp = version.commit.get();
      }
      return version.value;
    }
  }

  /** What putAll of the map view writes is seen whole, too. */
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Before it.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it.")
  @State
  public static class PutAllAgainstAll {
    private final SessionState state = SessionState.create();

    @Actor
    public void write() {
      state.asMap().putAll(Map.of("x", 1, "y", 1));
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot all = state.all();
      r.r1 = all.get("x");
      r.r2 = all.get("y");
    }
  }

  /** Once a get has shown a part of a delta, gets show all of it. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Before the delta.")
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "It came before the third get.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "It came before the second get.")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it was seen, and then not the rest.")
  @State
  public static class ApplyAgainstGets {
    private final SessionState state = SessionState.create();

    public ApplyAgainstGets() {
      state.set("x", 0);
      state.set("y", 0);
    }

    @Actor
    public void write() {
      state.apply(StateDelta.builder().set("x", 1).set("y", 1).build());
    }

    @Actor
    public void read(LLL_Result r) {
      r.r1 = state.get("y");
      r.r2 = state.get("x");
      r.r3 = state.get("y");
    }
  }

  /** Of two deltas over the same keys, one comes wholly after the other. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The first was last.")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "The second was last.")
  @Outcome(expect = FORBIDDEN, desc = "Mixed, or lost.")
  @State
  public static class ApplyAgainstApply {
    private final SessionState state = SessionState.create();

    @Actor
    public void first() {
      state.apply(StateDelta.builder().set("x", 1).set("y", 1).build());
    }

    @Actor
    public void second() {
      state.apply(StateDelta.builder().set("y", 2).set("x", 2).build());
    }

    @Arbiter
    public void after(LL_Result r) {
      StateSnapshot all = state.all();
      r.r1 = all.get("x");
      r.r2 = all.get("y");
    }
  }

  /**
   * A set comes before or after the whole of a delta. Results: replaced by set, y then, x at end.
   */
  @JCStressTest
  @Outcome(id = "0, [01], 1", expect = ACCEPTABLE, desc = "The set was first.")
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "The delta was first.")
  @Outcome(expect = FORBIDDEN, desc = "The set came in the middle of the delta, or was lost.")
  @State
  public static class ApplyAgainstSet {
    private final SessionState state = SessionState.create();

    public ApplyAgainstSet() {
      state.set("x", 0);
      state.set("y", 0);
    }

    @Actor
    public void apply() {
      state.apply(StateDelta.builder().set("x", 1).set("y", 1).build());
    }

    @Actor
    public void set(LLL_Result r) {
      r.r1 = state.set("x", 2);
      r.r2 = state.get("y");
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = state.get("x");
    }
  }
}
