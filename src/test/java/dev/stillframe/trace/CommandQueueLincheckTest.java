package dev.stillframe.trace;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any number of producers, any number that close, one consumer. */
@Tag("lincheck")
public class CommandQueueLincheckTest {
  private final CommandQueue queue = new CommandQueue(2);

  @Operation
  public String offer() {
    TestCommand command = new TestCommand(() -> {});
    CommandQueue.Offer offer = queue.offer(command);
    // The number shows the place in the order, which has to fit what the consumer gets.
    return offer == CommandQueue.Offer.ACCEPTED ? "accepted " + command.index : offer.toString();
  }

  @Operation
  public String close() {
    Command.Last last = new TestCommand.Last(() -> {});
    Command.Last first = queue.close(last);
    return (first == last ? "closed " : "was closed ") + first.index;
  }

  @Operation(nonParallelGroup = "consumer")
  public String execute() {
    Command command = queue.next();
    queue.advance();
    return command == null ? "none" : command.getClass().getSimpleName() + " " + command.index;
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
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(Integer.getInteger("stillframe.lincheck.iterations", 20))
        .invocationsPerIteration(500);
  }
}
