package dev.stillframe.trace;

import java.util.concurrent.Flow;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;

/**
 * The Technology Compatibility Kit of Reactive Streams, on the events of traces that have ended. It
 * brings its tests along; Surefire runs them with TestNG's engine for the JUnit platform. Those
 * that it skips are about rules that cannot be tested, and about publishers that fail their
 * subscribers.
 */
public class EventPublisherTckTest extends FlowPublisherVerification<TraceEvent> {
  private static final int MOST = 100_000;

  public EventPublisherTckTest() {
    super(new TestEnvironment(/* defaultTimeoutMillis= */ 2_000, /* noSignals= */ 200));
  }

  @Override
  public Flow.Publisher<TraceEvent> createFlowPublisher(long elements) {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    long wanted = Math.min(elements, MOST);
    for (long i = 0; i < wanted; i++) {
      node.info("{}", i);
    }
    trace.markComplete();
    return trace.eventsAfter(trace.stats().events() - wanted);
  }

  @Override
  public Flow.Publisher<TraceEvent> createFailedFlowPublisher() {
    return null; // a trace does not fail its subscribers
  }

  @Override
  public long maxElementsFromPublisher() {
    return MOST;
  }
}
