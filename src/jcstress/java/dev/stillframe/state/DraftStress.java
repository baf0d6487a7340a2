package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZL_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A draft commits only if what it read is still so at the instant at which it takes effect. */
public class DraftStress {

  private static boolean commit(StateDraft draft) {
    try {
      draft.commit();
      return true;
    } catch (StateConflictException e) {
      return false;
    }
  }

  /** Two drafts that each read what the other writes never both commit. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first did.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second did.")
  @Outcome(expect = FORBIDDEN, desc = "Write skew, or a conflict with one that did not commit.")
  @State
  public static class CommitAgainstCommit {
    private final SessionState state = SessionState.create();
    private final StateDraft first = state.draft();
    private final StateDraft second = state.draft();

    public CommitAgainstCommit() {
      first.get("x");
      first.set("y", 1);
      second.get("y");
      second.set("x", 1);
    }

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = commit(first);
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = commit(second);
    }
  }

  /** Drafts that settle their conflicts all commit, and nothing is lost. */
  @JCStressTest
  @Outcome(id = "12", expect = ACCEPTABLE, desc = "Both drafts and the update count.")
  @Outcome(expect = FORBIDDEN, desc = "One was lost, or counted twice.")
  @State
  public static class MergeAgainstMerge {
    private static final StateDraft.Merge SUM =
        (key, base, current, draft) -> (Integer) current + (Integer) draft - (Integer) base;

    private final SessionState state = SessionState.create();
    private final StateDraft first;
    private final StateDraft second;

    public MergeAgainstMerge() {
      state.set("x", 5);
      first = state.draft();
      second = state.draft();
      first.set("x", 6);
      second.set("x", 7);
    }

    @Actor
    public void first() {
      first.commit(SUM);
      state.update("x", old -> (Integer) old + 4);
    }

    @Actor
    public void second() {
      second.commit(SUM);
    }

    @Arbiter
    public void after(L_Result r) {
      r.r1 = state.get("x");
    }
  }

  /** A key that the draft only read must not change before it commits. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "The commit was first.")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The set was first.")
  @Outcome(expect = FORBIDDEN, desc = "Committed after the set, or a conflict without a cause.")
  @State
  public static class CommitAgainstSetAndAll {
    private final SessionState state = SessionState.create();
    private final StateDraft draft;

    public CommitAgainstSetAndAll() {
      state.set("x", 0);
      state.set("y", 0);
      draft = state.draft();
      draft.get("x");
      draft.set("y", 1);
    }

    @Actor
    public void commit(ZL_Result r) {
      r.r1 = DraftStress.commit(draft);
    }

    @Actor
    public void set(ZL_Result r) {
      state.set("x", 1);
      r.r2 = state.all().get("y");
    }
  }

  /** No key at all must appear before a draft commits that looked at the whole. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "The commit was first.")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The set was first.")
  @Outcome(expect = FORBIDDEN, desc = "Committed after the set, or a conflict without a cause.")
  @State
  public static class WholeDraftAgainstNewKeyAndAll {
    private final SessionState state = SessionState.create();
    private final StateDraft draft;

    public WholeDraftAgainstNewKeyAndAll() {
      state.set("y", 0);
      draft = state.draft();
      draft.size();
      draft.set("y", 1);
    }

    @Actor
    public void commit(ZL_Result r) {
      r.r1 = DraftStress.commit(draft);
    }

    @Actor
    public void set(ZL_Result r) {
      state.set("x", 1);
      r.r2 = state.all().get("y");
    }
  }

  /** Of a draft that looked at the whole and a clear, the clear has the last word. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "The commit was first, and was cleared.")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The clear was first.")
  @Outcome(expect = FORBIDDEN, desc = "Committed after the clear.")
  @State
  public static class WholeDraftAgainstClear {
    private final SessionState state = SessionState.create();
    private final StateDraft draft;

    public WholeDraftAgainstClear() {
      state.set("y", 0);
      draft = state.draft();
      draft.size();
      draft.set("x", 1);
    }

    @Actor
    public void commit(ZL_Result r) {
      r.r1 = DraftStress.commit(draft);
    }

    @Actor
    public void clear() {
      state.clear();
    }

    @Arbiter
    public void after(ZL_Result r) {
      r.r2 = state.size();
    }
  }
}
