package dev.stillframe.trace;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What a whole trace promises, claim by claim. */
final class TraceStress {
  private TraceStress() {}

  /** Of two endings the first wins: one call gets true, and the status is what that call said. */
  @JCStressTest
  @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "completed")
  @Outcome(id = "0, 1, 4", expect = ACCEPTABLE, desc = "cancelled")
  @Outcome(expect = FORBIDDEN, desc = "both, none, or another status than the winner's")
  @State
  public static class FirstEndingWins {
    private final TraceManager trace = TraceManager.open();

    @Actor
    public void complete(III_Result r) {
      r.r1 = trace.markComplete() ? 1 : 0;
    }

    @Actor
    public void cancel(III_Result r) {
      r.r2 = trace.cancel("on purpose") ? 1 : 0;
    }

    @Arbiter
    public void arbiter(III_Result r) {
      r.r3 = trace.status().ordinal();
    }
  }

  /** Of two ends of a node the first wins. */
  @JCStressTest
  @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "completed")
  @Outcome(id = "0, 1, 5", expect = ACCEPTABLE, desc = "cancelled")
  @Outcome(expect = FORBIDDEN, desc = "both, none, or another status than the winner's")
  @State
  public static class FirstEndOfANodeWins {
    private final TraceNode node = TraceManager.open().add(null, NodeOptions.label("n"));

    @Actor
    public void complete(III_Result r) {
      r.r1 = node.complete() ? 1 : 0;
    }

    @Actor
    public void cancel(III_Result r) {
      r.r2 = node.cancel("on purpose") ? 1 : 0;
    }

    @Arbiter
    public void arbiter(III_Result r) {
      r.r3 = node.status().ordinal();
    }
  }

  /** The first-wins rule without one atomic step. It must fail. */
  @JCStressTest
  @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "completed")
  @Outcome(id = "0, 1, 5", expect = ACCEPTABLE, desc = "cancelled")
  @Outcome(expect = FORBIDDEN, desc = "both, none, or another status than the winner's")
  @State
  public static class FirstEndOfANodeWinsWeakened {
    private volatile NodeStatus status = NodeStatus.RUNNING;

    private int end(NodeStatus how) {
      if (status.isFinal()) {
        return 0;
      }
      status = how;
      return 1;
    }

    @Actor
    public void complete(III_Result r) {
      r.r1 = end(NodeStatus.COMPLETED);
    }

    @Actor
    public void cancel(III_Result r) {
      r.r2 = end(NodeStatus.CANCELLED);
    }

    @Arbiter
    public void arbiter(III_Result r) {
      r.r3 = status.ordinal();
    }
  }

  /** Who subscribes as the trace completes gets every event once, and the end. */
  @JCStressTest
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "both events, and the end")
  @Outcome(expect = FORBIDDEN, desc = "an event missing or twice, or no end")
  @State
  public static class SubscribeAgainstComplete {
    private final TraceManager trace = TraceManager.open();
    private final AtomicInteger got = new AtomicInteger();
    private volatile TraceSubscription subscription;

    @Actor
    public void subscriber() {
      subscription = trace.subscribe(event -> got.incrementAndGet());
    }

    @Actor
    public void completer() {
      trace.markComplete();
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r2 = subscription.awaitEnd(Duration.ofSeconds(20)) ? 1 : 0;
      r.r1 = got.get();
    }
  }

  /** A reader that goes to sleep without looking once more. It must fail. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the event is delivered")
  @Outcome(expect = FORBIDDEN, desc = "the event is left lying")
  @State
  public static class SubscribeAgainstCompleteWeakened {
    private volatile int published;
    private volatile boolean active = true;
    private int delivered;

    @Actor
    public void publisher() {
      published = 1;
      if (!active) {
        delivered = published;
      }
    }

    @Actor
    public void reader() {
      delivered = published;
      active = false;
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = delivered;
    }
  }

  /** A producer that looks first and is to be found only then. It must fail. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "refused, or woken and refused")
  @Outcome(expect = FORBIDDEN, desc = "it slept through the close")
  @State
  public static class WaitingProducerAgainstCloseWeakened {
    private static final long BOUND = 20_000_000;
    private volatile boolean closed;
    private volatile Thread waiting;

    @Actor
    public void producer(I_Result r) {
      if (!closed) {
        waiting = Thread.currentThread();
        long start = System.nanoTime();
        LockSupport.parkNanos(BOUND);
        r.r1 = System.nanoTime() - start >= BOUND ? 1 : 0;
      }
    }

    @Actor
    public void closer() {
      closed = true;
      Thread found = waiting;
      if (found != null) {
        LockSupport.unpark(found);
      }
    }
  }
}
