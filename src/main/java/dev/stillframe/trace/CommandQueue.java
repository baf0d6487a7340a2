package dev.stillframe.trace;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of commands from any number of threads to one consumer at a time, which can be
 * closed without losing any.
 *
 * <p>All of its shared state is one reference, the newest accepted command. Accepting a command and
 * closing the queue are compare-and-sets of that one reference, so that each acceptance is either
 * before the close or refused:
 *
 * <pre>
 *  tail:  Command  to  Command       a command is accepted
 *         Command  to  Command.Last  the queue is closed; the command that closes it is the last one
 *         Command.Last               final
 * </pre>
 *
 * <p>There is no moment at which a command is accepted but not yet to be found: it links to its
 * predecessor before the compare-and-set, so that the consumer, which walks back from the tail to
 * what it has done and executes forward, finds every accepted command and never waits for a
 * producer. A ring of slots would have that moment (an index claimed, the slot still empty), and an
 * idle trace would pay for its slots.
 *
 * <p>The tail cannot return to an earlier value, since no command is offered twice: a
 * compare-and-set that succeeds has numbered the command after the one before it. So {@code index}
 * is dense, and {@code tail.index - executed} is what the consumer owes. Room is checked before the
 * compare-and-set; meanwhile {@code executed} can only grow, so the bound holds.
 */
final class CommandQueue {
  /** What became of an offer. */
  enum Offer {
    ACCEPTED,
    /** There was no room. */
    FULL,
    CLOSED
  }

  private static final AtomicReferenceFieldUpdater<CommandQueue, Command> TAIL =
      AtomicReferenceFieldUpdater.newUpdater(CommandQueue.class, Command.class, "tail");

  private final long capacity;

  private volatile Command tail;

  /** The index up to which all commands are executed. Written by the consumer; only grows. */
  private final AtomicLong executed = new AtomicLong();

  // The consumer's. They are handed from one consumer to the next with the worker role.
  /** The newest command handed out; before the first one, a command that nobody offered. */
  private Command done;

  /** The oldest command that is linked and not handed out. */
  private @Nullable Command ready;

  CommandQueue(int capacity) {
    this.capacity = capacity;
    done = new Origin();
    tail = done;
  }

  /** Accepts a command, unless the queue is closed or holds as many as it may. */
  Offer offer(Command command) {
    return offer(command, capacity);
  }

  /**
   * Accepts a command, unless the queue is closed: for readings, which take up no room for long.
   */
  Offer offerUnbounded(Command command) {
    return offer(command, Long.MAX_VALUE);
  }

  private Offer offer(Command command, long bound) {
    for (; ; ) {
      Command newest = tail;
      if (newest instanceof Command.Last) {
        return Offer.CLOSED;
      }
      if (newest.index - executed.get() >= bound) {
        return Offer.FULL;
      }
      if (append(newest, command)) {
        return Offer.ACCEPTED;
      }
    }
  }

  /**
   * Closes the queue with a last command, for which there is always room.
   *
   * @return the command that closed it: {@code last}, or the one that came first
   */
  Command.Last close(Command.Last last) {
    for (; ; ) {
      Command newest = tail;
      if (newest instanceof Command.Last first) {
        return first;
      }
      if (append(newest, last)) {
        return last;
      }
    }
  }

  private boolean append(Command newest, Command command) {
    command.index = newest.index + 1;
    command.previous = newest;
    return TAIL.compareAndSet(this, newest, command);
  }

  /** Returns the command that closed the queue, or null while it is open. */
  Command.@Nullable Last last() {
    return tail instanceof Command.Last last ? last : null;
  }

  /** Tells whether an offer would not be {@link Offer#FULL} now. */
  boolean hasRoom() {
    Command newest = tail;
    return newest instanceof Command.Last || newest.index - executed.get() < capacity;
  }

  /** Tells whether there is nothing to execute. */
  boolean isEmpty() {
    return owed() == 0;
  }

  /** Counts the commands that are accepted and not executed. */
  long owed() {
    // The tail first: what is executed was accepted before, so that the difference is no less.
    long accepted = tail.index;
    return Math.max(0, accepted - executed.get());
  }

  long accepted() {
    return tail.index;
  }

  boolean isExecuted(Command accepted) {
    return executed.get() >= accepted.index;
  }

  /** Takes the oldest command that has not been taken, or null. For the consumer only. */
  @Nullable Command next() {
    Command next = ready == null ? linkAccepted() : ready;
    if (next == null) {
      return null;
    }
    ready = next.next;
    // Cut off, so that an old command keeps no younger one alive, nor the other way round.
    next.next = null;
    next.previous = null;
    done = next;
    return next;
  }

  /** Links what was accepted since, from the tail back, and returns the oldest. */
  @SuppressWarnings("ReferenceEquality") // which command it is
  private @Nullable Command linkAccepted() {
    Command oldest = null;
    Command command = tail;
    while (command != null && command != done) {
      command.next = oldest;
      oldest = command;
      command = command.previous;
    }
    return oldest;
  }

  /** Says that all commands taken so far are executed. For the consumer only. */
  void advance() {
    executed.setRelease(done.index);
  }

  /** What stands at the tail before the first command. */
  private static final class Origin extends Command {
    @Override
    void execute() {
      throw new AssertionError("the origin of a queue must not be executed");
    }

    @Override
    void failed(Throwable thrown) {
      throw new AssertionError("the origin of a queue must not be executed", thrown);
    }
  }
}
