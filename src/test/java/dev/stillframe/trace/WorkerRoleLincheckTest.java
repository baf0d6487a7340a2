package dev.stillframe.trace;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A counter that only the worker role touches: plain, so that it is right only if commands run one
 * at a time, each once, and an accepted one is executed before those that wait for it go on.
 */
@Tag("lincheck")
public class WorkerRoleLincheckTest {
  private int total;

  private final CommandQueue queue = new CommandQueue(1);
  private final WorkerRole role =
      new WorkerRole(queue, new TestCommand.SilentOwner(), Runnable::run);

  @Operation
  public String add(@Param(gen = IntGen.class, conf = "1:3") int value) {
    int[] result = new int[1];
    TestCommand command = new TestCommand(() -> result[0] = total += value);
    if (role.submit(command, /* wait= */ true) == CommandQueue.Offer.CLOSED) {
      return "refused";
    }
    role.awaitExecuted(command);
    return "total " + result[0];
  }

  @Operation
  public String read() {
    int[] result = new int[1];
    TestCommand command = new TestCommand(() -> result[0] = total);
    if (role.submitReading(command) == CommandQueue.Offer.CLOSED) {
      return "refused";
    }
    role.awaitExecuted(command);
    return "total " + result[0];
  }

  @Operation
  public String close() {
    int[] result = new int[1];
    Command.Last last = new TestCommand.Last(() -> result[0] = total);
    Command.Last first = role.close(last);
    role.awaitExecuted(first);
    return first == last ? "closed at " + result[0] : "was closed";
  }

  @Test
  void modelCheckingWithTwoThreads() {
    options(2, 3).check(getClass());
  }

  @Test
  void modelCheckingWithThreeThreads() {
    options(3, 2).check(getClass());
  }

  private static ModelCheckingOptions options(int threads, int actors) {
    return new ModelCheckingOptions()
        .threads(threads)
        .actorsPerThread(actors)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(Integer.getInteger("stillframe.lincheck.iterations", 20))
        .invocationsPerIteration(500);
  }
}
