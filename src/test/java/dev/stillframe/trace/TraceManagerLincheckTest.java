package dev.stillframe.trace;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A whole trace: its nodes, logs, space, ends, releases and readings have one order. Values of a
 * space are read without a command, and are part of that order all the same.
 */
@Tag("lincheck")
public class TraceManagerLincheckTest {
  private final TraceManager trace =
      TraceManager.open(
          TraceOptions.builder()
              .id("t")
              .queueCapacity(2)
              .clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
              .build());
  private final TraceNode root = trace.add(null, NodeOptions.label("root"));
  private final TraceSpace space = trace.createSpace(SpaceOptions.name("s"));

  private static String orRefused(Supplier<Object> call) {
    try {
      return String.valueOf(call.get());
    } catch (TraceClosedException closed) {
      return "refused";
    }
  }

  @Operation
  public String add() {
    return orRefused(() -> trace.add(null, NodeOptions.label("n")).id());
  }

  @Operation
  public String log() {
    return orRefused(() -> root.info("logged").label());
  }

  @Operation
  public String completeRoot() {
    return orRefused(root::complete);
  }

  @Operation
  public String increment() {
    return orRefused(() -> space.update("k", old -> old == null ? 1 : (Integer) old + 1));
  }

  @Operation
  public String value() {
    return String.valueOf(space.get("k"));
  }

  @Operation
  public String markComplete() {
    return orRefused(trace::markComplete);
  }

  @Operation
  public String cancel() {
    return orRefused(() -> trace.cancel("user"));
  }

  @Operation
  public void close() {
    trace.close();
  }

  @Operation
  public String events() {
    return trace.eventList(0).stream()
        .map(event -> event.sequence() + " " + event.type())
        .collect(Collectors.joining(", "));
  }

  @Operation
  public String snapshot() {
    TraceSnapshot snapshot = trace.snapshot();
    return snapshot.sequence() + " " + snapshot.status() + " " + snapshot.spaces().get(0).values();
  }

  @Test
  void modelChecking() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(Integer.getInteger("stillframe.lincheck.iterations", 10))
        .invocationsPerIteration(300)
        .check(getClass());
  }

  @Test
  void stress() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(Integer.getInteger("stillframe.lincheck.iterations", 10))
        .invocationsPerIteration(1_000)
        .check(getClass());
  }
}
