package dev.stillframe.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** What is immutable needs no synchronization to be handed over. */
public class PublicationStress {

  /** A snapshot and a delta may be handed over through a data race. */
  @JCStressTest
  @Outcome(id = "(null|1), (null|1)", expect = ACCEPTABLE, desc = "Not there yet, or complete.")
  @Outcome(expect = FORBIDDEN, desc = "There, but incomplete.")
  @State
  public static class SnapshotAndDeltaThroughARace {
    private final SessionState state = SessionState.create();
    private StateSnapshot snapshot;
    private StateDelta delta;

    public SnapshotAndDeltaThroughARace() {
      state.set("x", List.of(1));
    }

    @Actor
    public void write() {
      snapshot = state.all();
      delta = StateDelta.builder().set("x", List.of(1)).build();
    }

    @Actor
    public void read(LL_Result r) {
      StateSnapshot seen = snapshot;
      StateDelta seenDelta = delta;
      r.r1 = seen == null ? null : ((List<?>) seen.get("x")).get(0);
      r.r2 = seenDelta == null ? null : ((List<?>) seenDelta.asMap().get("x")).get(0);
    }
  }
}
