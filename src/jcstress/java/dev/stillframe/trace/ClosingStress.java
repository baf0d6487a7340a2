package dev.stillframe.trace;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What a queue promises to those who submit and those who close, claim by claim. */
final class ClosingStress {
  private ClosingStress() {}

  /** A worker role whose commands count in a plain field. */
  static class Counting extends StressRole {
    int executed;

    int submit() {
      CommandQueue.Offer offer = role.submit(command(() -> executed++), /* wait= */ true);
      return offer == CommandQueue.Offer.ACCEPTED ? 1 : 0;
    }
  }

  /** Accepted before the close and executed when it returns, or refused and never executed. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "accepted, and executed before the end")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "refused, without effect")
  @Outcome(expect = FORBIDDEN, desc = "accepted and lost, or refused and executed")
  @State
  public static class SubmitAgainstClose extends Counting {
    int atTheEnd;

    @Actor
    public void submitter(III_Result r) {
      r.r1 = submit();
    }

    @Actor
    public void closer() {
      Command.Last last = last(() -> atTheEnd = executed);
      role.close(last);
      role.awaitExecuted(last);
    }

    @Arbiter
    public void arbiter(III_Result r) {
      r.r2 = executed;
      r.r3 = atTheEnd;
    }
  }

  /** Of two closes one is the close, both know which, and its command is executed once. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the first one closed")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the second one closed")
  @Outcome(expect = FORBIDDEN, desc = "both, none, or not once")
  @State
  public static class TwoCloses extends StressRole {
    int executed;

    @Actor
    public void first(III_Result r) {
      r.r1 = close();
    }

    @Actor
    public void second(III_Result r) {
      r.r2 = close();
    }

    private int close() {
      Command.Last mine = last(() -> executed++);
      Command.Last winner = role.close(mine);
      role.awaitExecuted(winner);
      return winner == mine ? 1 : 0;
    }

    @Arbiter
    public void arbiter(III_Result r) {
      r.r3 = executed;
    }
  }

  /** Close against cancel: whichever came first decides, and what it decided stays. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both see the close")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "both see the cancel")
  @Outcome(expect = FORBIDDEN, desc = "they do not agree, or see no outcome")
  @State
  public static class CloseAgainstCancel extends StressRole {
    int outcome;

    @Actor
    public void closer(II_Result r) {
      r.r1 = end(1);
    }

    @Actor
    public void canceller(II_Result r) {
      r.r2 = end(2);
    }

    private int end(int how) {
      role.awaitExecuted(role.close(last(() -> outcome = how)));
      return outcome;
    }
  }

  /** A producer that waits for room which never comes leaves, refused, when the queue is closed. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(expect = FORBIDDEN, desc = "accepted without room")
  @State
  public static class WaitingProducerAgainstClose extends Counting {
    @Override
    public boolean hasRoom() {
      return false;
    }

    @Actor
    public void producer(II_Result r) {
      r.r1 = submit(); // a wake-up that is lost hangs here, which fails the test
    }

    @Actor
    public void closer() {
      role.close(last(() -> {}));
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r2 = executed;
    }
  }

  /** A command whose producer finds the role held is executed without anybody's further help. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both executed")
  @Outcome(expect = FORBIDDEN, desc = "one was left lying, or they ran at once")
  @State
  public static class NoCommandLeftLying extends Counting {
    @Actor
    public void first() {
      submit();
    }

    @Actor
    public void second() {
      submit();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = executed;
    }
  }

  /**
   * The classic hole: closed flag and producers' index are two words, so that a producer that has
   * passed the flag is overtaken by the close. It must fail.
   */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "accepted, and executed before the end")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused, without effect")
  @Outcome(expect = FORBIDDEN, desc = "accepted and lost")
  @State
  public static class SubmitAgainstCloseWeakened {
    private volatile boolean closed;
    private final AtomicLong index = new AtomicLong();
    private final AtomicInteger executed = new AtomicInteger();

    @Actor
    public void submitter(II_Result r) {
      if (!closed) {
        index.incrementAndGet();
        r.r1 = 1;
      }
    }

    @Actor
    public void closer() {
      closed = true;
      executed.set((int) index.get());
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r2 = executed.get();
    }
  }

  /** A holder that does not look again after it has left the role. It must fail. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both executed")
  @Outcome(expect = FORBIDDEN, desc = "one was left lying")
  @State
  public static class NoCommandLeftLyingWeakened extends Counting {
    private final AtomicBoolean held = new AtomicBoolean();

    private void submitWeakly() {
      queue.offer(command(() -> executed++));
      if (held.compareAndSet(false, true)) {
        for (Command next = queue.next(); next != null; next = queue.next()) {
          next.execute();
        }
        held.set(false);
      }
    }

    @Actor
    public void first() {
      submitWeakly();
    }

    @Actor
    public void second() {
      submitWeakly();
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = executed;
    }
  }

  /** Two closes that each look at the flag before they set it. It must fail. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both see the close")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "both see the cancel")
  @Outcome(expect = FORBIDDEN, desc = "they do not agree")
  @State
  public static class CloseAgainstCancelWeakened {
    private volatile int outcome;

    private int end(int how) {
      if (outcome == 0) {
        outcome = how;
      }
      return outcome;
    }

    @Actor
    public void closer(II_Result r) {
      r.r1 = end(1);
    }

    @Actor
    public void canceller(II_Result r) {
      r.r2 = end(2);
    }
  }
}
