package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A removed key is gone, with its cell, and what is set afterwards is not. */
public class RemovalStress {

  /** A removal and a set come in one of the two orders. */
  @JCStressTest
  @Outcome(id = "0, null, 1", expect = ACCEPTABLE, desc = "The removal was first.")
  @Outcome(id = "1, 0, null", expect = ACCEPTABLE, desc = "The set was first.")
  @Outcome(expect = FORBIDDEN, desc = "The set went down with the cell, or the removal was undone.")
  @State
  public static class RemoveAgainstSet {
    private final SessionState state = SessionState.create();

    public RemoveAgainstSet() {
      state.set("x", 0);
    }

    @Actor
    public void remove(LLL_Result r) {
      r.r1 = state.remove("x");
    }

    @Actor
    public void set(LLL_Result r) {
      r.r2 = state.set("x", 1);
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = state.get("x");
    }
  }

  /** Of two who remove a key, one gets its value. */
  @JCStressTest
  @Outcome(id = "0, null, 0", expect = ACCEPTABLE, desc = "The first did.")
  @Outcome(id = "null, 0, 0", expect = ACCEPTABLE, desc = "The second did.")
  @Outcome(expect = FORBIDDEN, desc = "Both or none, or the key is still there.")
  @State
  public static class RemoveAgainstRemove {
    private final SessionState state = SessionState.create();

    public RemoveAgainstRemove() {
      state.set("x", 0);
    }

    @Actor
    public void first(LLL_Result r) {
      r.r1 = state.remove("x");
    }

    @Actor
    public void second(LLL_Result r) {
      r.r2 = state.remove("x");
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = state.size();
    }
  }

  /** A snapshot that shows what was set after a removal does not show what was removed. */
  @JCStressTest
  @Outcome(id = "0, null", expect = ACCEPTABLE, desc = "Before both.")
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Between the two.")
  @Outcome(id = "null, 1", expect = ACCEPTABLE, desc = "After both.")
  @Outcome(expect = FORBIDDEN, desc = "The set without the removal.")
  @State
  public static class RemoveAndSetAgainstAll {
    private final SessionState state = SessionState.create();

    public RemoveAndSetAgainstAll() {
      state.set("x", 0);
    }

    @Actor
    public void write() {
      state.remove("x");
      state.set("y", 1);
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot all = state.all();
      r.r1 = all.get("x");
      r.r2 = all.get("y");
    }
  }

  /** A key that is removed and set anew is seen in this order. The third result: it stays. */
  @JCStressTest
  @Outcome(id = "0, (0|null|1), 1", expect = ACCEPTABLE, desc = "The first is of before both.")
  @Outcome(id = "null, (null|1), 1", expect = ACCEPTABLE, desc = "The first is of between the two.")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "The first is of after both.")
  @Outcome(expect = FORBIDDEN, desc = "Backwards, or lost.")
  @State
  public static class RemoveAndSetAnewAgainstTwoSnapshots {
    private final SessionState state = SessionState.create();

    public RemoveAndSetAnewAgainstTwoSnapshots() {
      state.set("x", 0);
    }

    @Actor
    public void write() {
      state.remove("x");
      state.set("x", 1);
    }

    @Actor
    public void read(LLL_Result r) {
      r.r1 = state.all().get("x");
      r.r2 = state.all().get("x");
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = state.get("x");
    }
  }
}
