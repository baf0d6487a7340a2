package dev.stillframe.examples;

import dev.stillframe.trace.TraceEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds up a trace from nothing but its events, as a subscriber gets them: one after the other, so
 * that it needs no lock. It is to be read once the subscription has ended.
 */
final class EventTally implements Consumer<TraceEvent> {
  static final String TOOL = "tool";

  private final Map<Role, Long> messages = new EnumMap<>(Role.class);
  private final List<TraceEvent> received = new ArrayList<>();
  private long completed;
  private long toolCalls;
  private long checksum;
  private @Nullable String outOfOrder;

  @Override
  public void accept(TraceEvent event) {
    received.add(event);
    if (event.sequence() != received.size() && outOfOrder == null) {
      outOfOrder =
          String.format(
              "%s: event %d must have this number, but has %d",
              event.traceId(), received.size(), event.sequence());
    }
    if (event instanceof TraceEvent.LogAdded log) {
      String role = String.valueOf(log.arguments().get(0));
      messages.merge(Objects.requireNonNull(Role.named(role), role), 1L, Long::sum);
      checksum += Message.checksum((String) log.arguments().get(1));
    } else if (event instanceof TraceEvent.NodeStart node && TOOL.equals(node.kind())) {
      toolCalls++;
    } else if (event instanceof TraceEvent.Complete) {
      completed++;
    }
  }

  Totals totals() {
    return new Totals(completed, messages, toolCalls, checksum);
  }

  List<TraceEvent> received() {
    return received;
  }

  @Nullable String outOfOrder() {
    return outOfOrder;
  }
}
