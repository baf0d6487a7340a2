package dev.stillframe.trace;

import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of one trace, one at a time, without a thread of its own: whoever submits a
 * command takes the worker role if it is free, and executes what is there. If the role is held, the
 * holder executes the command too, since it looks at the queue again after it has left the role.
 *
 * <pre>
 *  held:  false  to  true    a thread takes the role
 *         true   to  false   that thread leaves it
 * </pre>
 *
 * <p><b>No command is left lying.</b> A producer's command is in the queue before it tries to take
 * the role; a holder leaves the role before it looks at the queue. If the producer found the role
 * held, then it was left later, and the holder's look comes later still and finds the command.
 *
 * <p><b>Nobody works for others for ever.</b> After a batch that others have filled up again, a
 * holder hands the rest over to an executor. If that rejects, it goes on itself. What runs in the
 * role is code of this library, in memory, which never waits; so a thread that needs the role has
 * it, or its command is executed, in a short time, and no pool of threads can be too busy for that.
 *
 * <p><b>Closing</b> has three steps. The flag: the last command becomes the tail of the queue, and
 * from there on nothing is accepted. Cancel: producers that wait for room are woken, and find
 * themselves refused. Close: what was accepted is executed, by the closing thread if nobody else
 * does.
 */
final class WorkerRole {
  /** How many commands a thread executes before it lets another one have the role. */
  private static final int BATCH = 256;

  /** The trace whose commands are executed. */
  interface Owner {
    /** Tells whether a command may be accepted, as far as the owner is concerned. */
    boolean hasRoom();

    /** Makes what was done since the last time visible. Runs in the worker role. */
    void publish();

    /** Tells others what was made visible. Runs outside the role, after a batch. */
    void published();
  }

  private final CommandQueue queue;
  private final Owner owner;
  private final Executor relief;
  private final Waiters waiters = new Waiters();

  /** See the class. Left by a plain assignment, which succeeds even when the stack is used up. */
  private final Flag held = new Flag();

  /**
   * Creates a free role.
   *
   * @param relief takes over from threads that have executed a batch of commands
   */
  WorkerRole(CommandQueue queue, Owner owner, Executor relief) {
    this.queue = queue;
    this.owner = owner;
    this.relief = relief;
  }

  /**
   * Submits a command, waiting for room if {@code wait} says so. It is executed when this returns,
   * or another thread is about to execute it.
   */
  CommandQueue.Offer submit(Command command, boolean wait) {
    for (; ; ) {
      CommandQueue.Offer offer =
          owner.hasRoom() || queue.last() != null ? queue.offer(command) : CommandQueue.Offer.FULL;
      if (offer != CommandQueue.Offer.FULL) {
        work();
        return offer;
      }
      if (!wait) {
        return offer;
      }
      waiters.await(this::hasRoomOrIsClosed, null);
    }
  }

  /** Helps first: a thread that waits does what it can so that it need not. */
  private boolean hasRoomOrIsClosed() {
    work();
    return queue.last() != null || (queue.hasRoom() && owner.hasRoom());
  }

  /** Submits a reading, for which there is always room. */
  CommandQueue.Offer submitReading(Command command) {
    CommandQueue.Offer offer = queue.offerUnbounded(command);
    work();
    return offer;
  }

  /**
   * Waits until an accepted command is executed, and helps. The role is never free while there is
   * something to do and all who could do it are parked: after a batch the holder first leaves the
   * role and then wakes everybody, and who is woken tries to take it.
   */
  void awaitExecuted(Command accepted) {
    waiters.await(
        () -> {
          work();
          return queue.isExecuted(accepted);
        },
        null);
  }

  /** Closes the queue; returns the command that did it, which is executed as the last one. */
  Command.Last close(Command.Last last) {
    Command.Last first = queue.close(last);
    waiters.wakeAll();
    work();
    return first;
  }

  /** Wakes the threads that wait, to look again at what the owner says. */
  void wakeAll() {
    waiters.wakeAll();
  }

  /** Waits, outside the role, for a condition of the owner's, whose change it tells by wakeAll. */
  boolean await(BooleanSupplier condition, @Nullable Long deadline) {
    return waiters.await(condition, deadline);
  }

  /** Waits as {@link #await} does, but an interrupt ends the wait. The flag stays set. */
  boolean awaitUnlessInterrupted(BooleanSupplier condition, @Nullable Long deadline) {
    return waiters.awaitUnlessInterrupted(condition, deadline);
  }

  /** Executes what is there, unless another thread is at it. */
  void work() {
    while (!queue.isEmpty() && held.take()) {
      int executed;
      try {
        executed = executeBatch();
      } finally {
        held.taken = false;
        waiters.wakeAll();
      }
      owner.published();
      if (executed == BATCH && !queue.isEmpty() && handOver()) {
        return;
      }
    }
  }

  private int executeBatch() {
    int executed = 0;
    try {
      while (executed < BATCH) {
        Command command = queue.next();
        if (command == null) {
          break;
        }
        executed++;
        try {
          command.execute();
        } catch (Throwable thrown) {
          command.failed(thrown);
        }
      }
    } finally {
      owner.publish();
      queue.advance();
    }
    return executed;
  }

  private boolean handOver() {
    try {
      relief.execute(this::work);
      return true;
    } catch (Throwable rejected) {
      return false; // a pool that is shut down, or no memory for a thread
    }
  }
}
