package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A clear removes at one instant what is there, and nothing that comes later. */
public class ClearStress {

  /** A clear comes before, between or after two sets, and takes what was there along. */
  @JCStressTest
  @Outcome(id = "1, 1, null", expect = ACCEPTABLE, desc = "The clear was first.")
  @Outcome(id = "null, 1, null", expect = ACCEPTABLE, desc = "It came between.")
  @Outcome(id = "null, null, null", expect = ACCEPTABLE, desc = "It was last.")
  @Outcome(expect = FORBIDDEN, desc = "A set was lost, or z survived.")
  @State
  public static class ClearAgainstSets {
    private final SessionState state = SessionState.create();

    public ClearAgainstSets() {
      state.set("z", 0);
    }

    @Actor
    public void write() {
      state.set("x", 1);
      state.set("y", 1);
    }

    @Actor
    public void clear() {
      state.clear();
    }

    @Arbiter
    public void after(LLL_Result r) {
      StateSnapshot all = state.all();
      r.r1 = all.get("x");
      r.r2 = all.get("y");
      r.r3 = all.get("z");
    }
  }

  /** A clear comes before or after the whole of a delta. */
  @JCStressTest
  @Outcome(id = "1, 1, null", expect = ACCEPTABLE, desc = "The clear was first.")
  @Outcome(id = "null, null, null", expect = ACCEPTABLE, desc = "It was last.")
  @Outcome(expect = FORBIDDEN, desc = "It took a part of the delta, or z survived.")
  @State
  public static class ClearAgainstApply {
    private final SessionState state = SessionState.create();

    public ClearAgainstApply() {
      state.set("x", 0);
      state.set("z", 0);
    }

    @Actor
    public void write() {
      state.apply(StateDelta.builder().set("x", 1).set("y", 1).build());
    }

    @Actor
    public void clear() {
      state.clear();
    }

    @Arbiter
    public void after(LLL_Result r) {
      StateSnapshot all = state.all();
      r.r1 = all.get("x");
      r.r2 = all.get("y");
      r.r3 = all.get("z");
    }
  }

  /** Who sees a clear, by get or by a snapshot, sees all of it. Results: y by get; x, y by all. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Before the clear.")
  @Outcome(id = "0, (null|1), null", expect = ACCEPTABLE, desc = "It came between get and all.")
  @Outcome(id = "null, (null|1), null", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it, backwards, or the set without it.")
  @State
  public static class ClearAndSetAgainstGetAndAll {
    private final SessionState state = SessionState.create();

    public ClearAndSetAgainstGetAndAll() {
      state.set("x", 0);
      state.set("y", 0);
    }

    @Actor
    public void write() {
      state.clear();
      state.set("x", 1);
    }

    @Actor
    public void read(LLL_Result r) {
      r.r1 = state.get("y");
      StateSnapshot all = state.all();
      r.r2 = all.get("x");
      r.r3 = all.get("y");
    }
  }
}
