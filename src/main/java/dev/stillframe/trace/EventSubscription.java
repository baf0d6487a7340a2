package dev.stillframe.trace;

import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the events of a trace to one subscriber, on an executor, one at a time: a cursor over
 * the history, and what the subscriber has asked for.
 *
 * <pre>
 *  active:      false  to  true    there may be something to deliver, and a task is to deliver it
 *               true   to  false   that task found nothing more; it then looks once more, so that
 *                                  what came before it said so is not left lying
 *  subscriber:  set    to  null    it is cancelled, or was told of the end: it hears nothing more
 * </pre>
 *
 * <p>Whoever publishes an event, asks for more or cancels does that first and then looks at {@code
 * active}; the task leaves {@code active} first and then looks at those. One of the two sees the
 * other.
 */
final class EventSubscription implements Flow.Subscription, Runnable {
  /** How many events are delivered before other tasks of the executor get their turn. */
  private static final int BATCH = 256;

  /** What a subscription tells its trace. */
  interface Owner {
    void ended(EventSubscription subscription);

    void threw(Throwable thrown);

    void gap();
  }

  private final EventCursor cursor;
  private final Executor executor;
  private final Owner owner;

  private final Flag active = new Flag();

  private final AtomicLong demand = new AtomicLong();
  private volatile Flow.@Nullable Subscriber<? super TraceEvent> subscriber;

  /** Null to the error that the subscriber is to be told: it has asked for less than one event. */
  private volatile @Nullable IllegalArgumentException badRequest;

  /** The thread that is in the subscriber, or null. */
  private volatile @Nullable Thread thread;

  EventSubscription(
      EventCursor cursor,
      Executor executor,
      Owner owner,
      Flow.Subscriber<? super TraceEvent> subscriber) {
    this.cursor = cursor;
    this.executor = executor;
    this.owner = owner;
    this.subscriber = subscriber;
    active.taken = true; // until it has been started
  }

  /**
   * Introduces itself to the subscriber, on the calling thread. It is active until then, so that
   * nothing is delivered before that, nor while that runs.
   */
  void start(Flow.Subscriber<? super TraceEvent> to) {
    thread = Thread.currentThread();
    try {
      to.onSubscribe(this);
    } catch (Throwable thrown) {
      owner.threw(thrown);
      cancel();
    } finally {
      thread = null;
      active.taken = false;
    }
    wake();
  }

  @Override
  public void request(long n) {
    if (n <= 0) {
      badRequest =
          new IllegalArgumentException("A request must be for one event or more; it is for " + n);
    } else {
      demand.getAndUpdate(asked -> asked + n < 0 ? Long.MAX_VALUE : asked + n);
    }
    wake();
  }

  @Override
  public void cancel() {
    subscriber = null;
    owner.ended(this);
  }

  boolean isEnded() {
    return subscriber == null;
  }

  /** Tells whether no callback is running, other than on this thread. */
  boolean isQuiet() {
    Thread in = thread;
    return in == null || in == Thread.currentThread();
  }

  /** Looks whether there is something to deliver. */
  void wake() {
    if (hasWork() && active.take()) {
      submit();
    }
  }

  private boolean hasWork() {
    return subscriber != null
        && (badRequest != null || cursor.isAtEnd() || (demand.get() > 0 && cursor.hasNext()));
  }

  @Override
  public void run() {
    do {
      thread = Thread.currentThread();
      boolean more;
      try {
        more = deliverBatch();
      } catch (Throwable thrown) {
        fail(thrown); // no code of the subscriber's, but the clock or memory, say
        more = false;
      } finally {
        thread = null;
      }
      if (more) {
        submit(); // still active
        return;
      }
      active.taken = false;
      if (subscriber == null) {
        owner.ended(this); // again, now that no callback is running
      }
    } while (hasWork() && active.take());
  }

  /** Becomes active for good or not at all: the next event or request is to try again. */
  private void submit() {
    boolean submitted = false;
    try {
      executor.execute(this);
      submitted = true;
    } finally {
      if (!submitted) {
        active.taken = false; // a plain assignment, which succeeds even when the stack is used up
      }
    }
  }

  /** Returns true if there may be more. */
  private boolean deliverBatch() {
    for (int delivered = 0; delivered < BATCH; delivered++) {
      Flow.Subscriber<? super TraceEvent> to = subscriber;
      if (to == null) {
        return false;
      }
      IllegalArgumentException bad = badRequest;
      if (bad != null) {
        end(() -> to.onError(bad));
        return false;
      }
      if (cursor.isAtEnd()) {
        end(to::onComplete);
        return false;
      }
      TraceEvent event = demand.get() > 0 ? cursor.next() : null;
      if (event == null) {
        return false;
      }
      if (event instanceof TraceEvent.Gap) {
        owner.gap();
      }
      demand.getAndUpdate(asked -> asked == Long.MAX_VALUE ? asked : asked - 1);
      try {
        to.onNext(event);
      } catch (Throwable thrown) {
        owner.threw(thrown);
        cancel(); // who throws has broken the rules, and is left alone
      }
    }
    return true;
  }

  private void fail(Throwable thrown) {
    Flow.Subscriber<? super TraceEvent> to = subscriber;
    owner.threw(thrown);
    if (to != null) {
      end(() -> to.onError(thrown));
    }
  }

  private void end(Runnable signal) {
    subscriber = null;
    try {
      signal.run();
    } catch (Throwable thrown) {
      owner.threw(thrown);
    }
    owner.ended(this);
  }
}
