package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** What states of one family share is seen at one instant. */
public class FamilyStress {

  /** Two states that share the keys with prefix {@code app:}. */
  public abstract static class TwoStates {
    final StateFamily family = StateFamily.create();
    final SessionState app = family.newState();
    final SessionState first = family.scoped(family.newState()).share("app:", app).build();
    final SessionState second = family.scoped(family.newState()).share("app:", app).build();

    static StateDelta both(int value) {
      return StateDelta.builder().set("app:x", value).set("x", value).build();
    }
  }

  /** A delta over two indexes is seen whole or not at all. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before the delta.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it.")
  @State
  public static class CommitOverTwoIndexesAgainstAll extends TwoStates {
    public CommitOverTwoIndexesAgainstAll() {
      first.apply(both(0));
    }

    @Actor
    public void write() {
      first.apply(both(1));
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot all = first.all();
      r.r1 = all.get("x");
      r.r2 = all.get("app:x");
    }
  }

  /** The same for a snapshot of which a part is kept from before. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before the delta.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it, or a kept part with a new one.")
  @State
  public static class CommitOverTwoIndexesAgainstAllWithAKeptPart extends TwoStates {
    public CommitOverTwoIndexesAgainstAllWithAKeptPart() {
      first.apply(both(0));
      first.all();
      first.set("y", 1); // the part of the shared keys is kept, the other one is not
    }

    @Actor
    public void write() {
      first.apply(both(1));
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot all = first.all();
      r.r1 = all.get("x");
      r.r2 = all.get("app:x");
    }
  }

  /** The same for a snapshot that is unchanged as a whole. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Before the delta.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it.")
  @State
  public static class CommitOverTwoIndexesAgainstUnchangedAll extends TwoStates {
    public CommitOverTwoIndexesAgainstUnchangedAll() {
      first.apply(both(0));
      first.all();
    }

    @Actor
    public void write() {
      first.apply(both(1));
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot all = first.all();
      r.r1 = all.get("x");
      r.r2 = all.get("app:x");
    }
  }

  /** Once a get has shown a part of a delta over two indexes, gets show all of it. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Before the delta.")
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "It came before the third get.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "It came before the second get.")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "After it.")
  @Outcome(expect = FORBIDDEN, desc = "A part of it was seen, and then not the rest.")
  @State
  public static class CommitOverTwoIndexesAgainstGets extends TwoStates {
    public CommitOverTwoIndexesAgainstGets() {
      first.apply(both(0));
    }

    @Actor
    public void write() {
      first.apply(both(1));
    }

    @Actor
    public void read(LLL_Result r) {
      r.r1 = first.get("app:x");
      r.r2 = first.get("x");
      r.r3 = second.get("app:x");
    }
  }

  /** Two writes in one order, to keys of two indexes, are never seen in the other. */
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Before both.")
  @Outcome(id = "1, null", expect = ACCEPTABLE, desc = "Between them.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After both.")
  @Outcome(expect = FORBIDDEN, desc = "The second without the first.")
  @State
  public static class WritesToTwoIndexesInOrder extends TwoStates {
    @Actor
    public void write() {
      first.set("app:x", 1);
      first.set("x", 1);
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot all = first.all();
      r.r1 = all.get("app:x");
      r.r2 = all.get("x");
    }
  }

  /**
   * Broken: the parts are snapshots of the two states, taken one after the other. So the second of
   * two writes is seen without the first.
   */
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Before both.")
  @Outcome(id = "1, null", expect = ACCEPTABLE, desc = "Between them.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "After both.")
  @Outcome(expect = FORBIDDEN, desc = "The second without the first.")
  @State
  public static class WritesToTwoIndexesInOrderWeakened {
    private final StateFamily family = StateFamily.create();
    private final SessionState app = family.newState();
    private final SessionState own = family.newState();

    @Actor
    public void write() {
      app.set("app:x", 1);
      own.set("x", 1);
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot shared = app.all();
      r.r1 = shared.get("app:x");
      r.r2 = own.all().get("x");
    }
  }

  /**
   * Of two drafts that look at the whole of their states and write a key that the other one shows,
   * the second to commit has to see the first.
   */
  @JCStressTest
  @Outcome(id = "1, null", expect = ACCEPTABLE, desc = "The first draft was first.")
  @Outcome(id = "null, 1", expect = ACCEPTABLE, desc = "The second draft was first.")
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Neither found a quiet moment.")
  @Outcome(expect = FORBIDDEN, desc = "Both committed: each had missed the other.")
  @State
  public static class WholeDraftsOverTwoIndexes extends TwoStates {
    @Actor
    public void first() {
      setIfEmpty(first, "app:x");
    }

    @Actor
    public void second() {
      setIfEmpty(second, "app:y");
    }

    private static void setIfEmpty(SessionState state, String key) {
      StateDraft draft = state.draft();
      if (draft.size() == 0) {
        draft.set(key, 1);
      }
      try {
        draft.commit();
      } catch (StateConflictException e) {
        // the other one was first
      }
    }

    @Arbiter
    public void after(LL_Result r) {
      StateSnapshot all = first.all();
      r.r1 = all.get("app:x");
      r.r2 = all.get("app:y");
    }
  }

  /** Clearing several indexes leaves nothing of what came before it, and all of what came after. */
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "The clear came last.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The delta came last.")
  @Outcome(expect = FORBIDDEN, desc = "The clear came in the middle of the delta.")
  @State
  public static class ClearOfTwoIndexesAgainstCommit extends TwoStates {
    public ClearOfTwoIndexesAgainstCommit() {
      first.apply(both(0));
    }

    @Actor
    public void write() {
      first.apply(both(1));
    }

    @Actor
    public void clear() {
      first.clear();
    }

    @Arbiter
    public void after(LL_Result r) {
      StateSnapshot all = first.all();
      r.r1 = all.get("x");
      r.r2 = all.get("app:x");
    }
  }

  /** What an exchange says was there is what it replaced: no write between is lost. */
  @JCStressTest
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The exchange was first.")
  @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "The set was first.")
  @Outcome(expect = FORBIDDEN, desc = "A value was replaced unseen, or twice.")
  @State
  public static class ExchangeAgainstSet extends TwoStates {
    public ExchangeAgainstSet() {
      first.apply(both(0));
    }

    @Actor
    public void exchange(LLL_Result r) {
      r.r1 = family.exchange(Map.of(first, both(2))).get(first).asMap().get("app:x");
    }

    @Actor
    public void set(LLL_Result r) {
      Object replaced = second.set("app:x", 1);
      r.r2 = replaced.equals(0) ? 0 : 1;
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = first.get("app:x");
    }
  }
}
