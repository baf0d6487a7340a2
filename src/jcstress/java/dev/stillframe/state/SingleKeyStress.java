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

/** An operation on one key is one step. */
public class SingleKeyStress {

  /** Of two who replace the same value, one succeeds. */
  @JCStressTest
  @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "The first did.")
  @Outcome(id = "false, true, 2", expect = ACCEPTABLE, desc = "The second did.")
  @Outcome(expect = FORBIDDEN, desc = "Both or none, or the value is not the winner's.")
  @State
  public static class ReplaceAgainstReplace {
    private final SessionState state = SessionState.create();

    public ReplaceAgainstReplace() {
      state.set("x", 0);
    }

    @Actor
    public void first(LLL_Result r) {
      r.r1 = state.replace("x", 0, 1);
    }

    @Actor
    public void second(LLL_Result r) {
      r.r2 = state.replace("x", 0, 2);
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = state.get("x");
    }
  }

  /** Of two who set an absent key, one succeeds, and the other is told its value. */
  @JCStressTest
  @Outcome(id = "null, 1, 1", expect = ACCEPTABLE, desc = "The first did.")
  @Outcome(id = "2, null, 2", expect = ACCEPTABLE, desc = "The second did.")
  @Outcome(expect = FORBIDDEN, desc = "Both or none, or the value is not the winner's.")
  @State
  public static class SetIfAbsentAgainstSetIfAbsent {
    private final SessionState state = SessionState.create();

    @Actor
    public void first(LLL_Result r) {
      r.r1 = state.setIfAbsent("x", 1);
    }

    @Actor
    public void second(LLL_Result r) {
      r.r2 = state.setIfAbsent("x", 2);
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = state.get("x");
    }
  }

  /** No update is lost, the one that creates the key included, while snapshots are taken. */
  @JCStressTest
  @Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "All four count.")
  @Outcome(expect = FORBIDDEN, desc = "One was lost, or counted twice.")
  @State
  public static class UpdateAgainstUpdate {
    private final SessionState state = SessionState.create();

    @Actor
    public void first() {
      increment();
      increment();
    }

    @Actor
    public void second() {
      increment();
      state.all();
      increment();
    }

    private void increment() {
      state.update("x", old -> old == null ? 1 : (Integer) old + 1);
    }

    @Arbiter
    public void after(LL_Result r) {
      r.r1 = state.get("x");
      r.r2 = state.all().get("x");
    }
  }
}
