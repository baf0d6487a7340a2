package dev.stillframe.trace;

import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a subscriber of a consumer, which wants all events and may throw. */
final class ConsumerSubscription implements Flow.Subscriber<TraceEvent>, TraceSubscription {
  private final Consumer<? super TraceEvent> consumer;
  private final TraceEngine engine;
  private volatile @Nullable EventSubscription subscription;

  ConsumerSubscription(Consumer<? super TraceEvent> consumer, TraceEngine engine) {
    this.consumer = consumer;
    this.engine = engine;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = (EventSubscription) subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(TraceEvent event) {
    try {
      consumer.accept(event);
    } catch (Throwable thrown) {
      engine.threw(thrown); // and it gets the next event all the same
    }
  }

  @Override
  public void onError(Throwable thrown) {
    // A consumer has no ear for it; it is counted and logged.
  }

  @Override
  public void onComplete() {}

  @Override
  public void cancel() {
    EventSubscription own = subscription;
    if (own != null) {
      own.cancel();
    }
  }

  @Override
  public void close() {
    cancel();
  }

  @Override
  public boolean isEnded() {
    EventSubscription own = subscription;
    return own != null && own.isEnded();
  }

  @Override
  public boolean awaitEnd(Duration timeout) {
    return engine.await(this::isOver, timeout);
  }

  private boolean isOver() {
    EventSubscription own = subscription;
    return own != null && own.isEnded() && own.isQuiet();
  }
}
