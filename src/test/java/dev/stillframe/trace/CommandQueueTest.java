package dev.stillframe.trace;

import static dev.stillframe.trace.CommandQueue.Offer.ACCEPTED;
import static dev.stillframe.trace.CommandQueue.Offer.CLOSED;
import static dev.stillframe.trace.CommandQueue.Offer.FULL;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CommandQueueTest {
  private final CommandQueue queue = new CommandQueue(3);

  private static Command command() {
    return new TestCommand(() -> {});
  }

  private static Command.Last last() {
    return new TestCommand.Last(() -> {});
  }

  @Test
  void handsOutInTheOrderOfAcceptance() {
    List<Command> offered = new ArrayList<>();
    List<Command> taken = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 3; i++) {
        Command command = command();
        assertThat(queue.offer(command)).isEqualTo(ACCEPTED);
        offered.add(command);
      }
      taken.add(queue.next());
      taken.add(queue.next());
      taken.add(queue.next());
      queue.advance();
    }
    assertThat(taken).containsExactlyElementsOf(offered);
    assertThat(queue.next()).isNull();
    assertThat(taken).extracting(c -> c.index).startsWith(1L, 2L, 3L).endsWith(15L);
  }

  @Test
  void isFullUntilWhatWasTakenIsExecuted() {
    queue.offer(command());
    queue.offer(command());
    queue.offer(command());
    assertThat(queue.offer(command())).isEqualTo(FULL);
    assertThat(queue.hasRoom()).isFalse();
    queue.next();
    assertThat(queue.offer(command())).isEqualTo(FULL);
    queue.advance();
    assertThat(queue.hasRoom()).isTrue();
    assertThat(queue.offer(command())).isEqualTo(ACCEPTED);
    assertThat(queue.offer(command())).isEqualTo(FULL);
  }

  @Test
  void takesReadingsWhenFull() {
    queue.offer(command());
    queue.offer(command());
    queue.offer(command());
    assertThat(queue.offerUnbounded(command())).isEqualTo(ACCEPTED);
    assertThat(queue.owed()).isEqualTo(4);
  }

  @Test
  void closesEvenWhenFullAndOwesWhatItAccepted() {
    queue.offer(command());
    queue.offer(command());
    queue.offer(command());
    Command.Last last = last();
    assertThat(queue.close(last)).isSameAs(last);
    assertThat(queue.close(last())).isSameAs(last);
    assertThat(queue.offer(command())).isEqualTo(CLOSED);
    assertThat(queue.offerUnbounded(command())).isEqualTo(CLOSED);
    assertThat(queue.hasRoom()).as("nobody shall wait for room in a closed queue").isTrue();
    assertThat(queue.owed()).isEqualTo(4);
    for (int i = 0; i < 3; i++) {
      assertThat(queue.next()).isNotNull().isNotSameAs(last);
    }
    assertThat(queue.next()).isSameAs(last);
    assertThat(queue.next()).isNull();
    queue.advance();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.isExecuted(last)).isTrue();
  }

  @Test
  @Timeout(30)
  void keepsNoExecutedCommandAlive() {
    List<WeakReference<Command>> executed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Command command = command();
      executed.add(new WeakReference<>(command));
      queue.offer(command);
    }
    while (queue.next() != null) {
      queue.advance();
    }
    // The last one is the tail of the queue; the others are gone.
    while (executed.get(0).get() != null || executed.get(1).get() != null) {
      System.gc();
    }
    assertThat(queue.accepted()).isEqualTo(3);
  }
}
