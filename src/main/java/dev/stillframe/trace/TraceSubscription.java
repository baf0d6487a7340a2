package dev.stillframe.trace;

import java.time.Duration;

/** A consumer's subscription to the events of a trace. */
public interface TraceSubscription extends AutoCloseable {

  /**
   * Ends the subscription. The consumer gets no event after the one that it may be working on. The
   * trace forgets the subscription at once. It may be called from the consumer, and again.
   */
  void cancel();

  /**
   * Tells whether the consumer will get no further event: it was cancelled, or has got the last
   * one.
   *
   * @return true if it has ended
   */
  boolean isEnded();

  /**
   * Waits until the subscription has ended and the consumer is not running. If the consumer itself
   * calls this, its own run does not count. An interrupt does not end the wait.
   *
   * @param timeout how long to wait at most
   * @return false if the time was not enough
   */
  boolean awaitEnd(Duration timeout);

  /** Ends the subscription, as {@link #cancel()} does. */
  @Override
  void close();
}
