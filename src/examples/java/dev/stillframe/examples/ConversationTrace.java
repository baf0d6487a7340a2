package dev.stillframe.examples;

import dev.stillframe.state.StateDraft;
import dev.stillframe.trace.Branch;
import dev.stillframe.trace.BranchBody;
import dev.stillframe.trace.BranchOptions;
import dev.stillframe.trace.BranchResult;
import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.NodeSpec;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.TraceSnapshot;
import dev.stillframe.trace.TraceSubscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The trace of one conversation: a node for each turn of the user and for each tool call, a branch
 * for each of several calls at once, a log entry for each message. One thread writes it at a time.
 */
final class ConversationTrace {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final @Nullable StoredTraces stored;
  private final TraceManager trace;
  private final EventTally tally = new EventTally();
  private final TraceSubscription subscription;
  private final Map<String, TraceNode> openCalls = new HashMap<>();
  private @Nullable TraceNode latest;

  /**
   * Opens a trace.
   *
   * @param stored where it is kept, or null if it is not
   */
  ConversationTrace(TraceOptions.Builder options, @Nullable StoredTraces stored) {
    this.stored = stored;
    trace = TraceManager.open((stored == null ? options : options.store(stored.store())).build());
    subscription = trace.subscribe(tally);
  }

  /** Returns a picture of it. Any thread may look. */
  TraceSnapshot snapshot() {
    return trace.snapshot();
  }

  /** Notes a message, with at most one tool call. */
  void played(Message message) {
    noted(message);
    for (ToolCall call : message.toolCalls()) {
      latest = trace.add(call.arguments(), NodeOptions.label(call.name()).kind(EventTally.TOOL));
      openCalls.put(call.id(), latest);
    }
  }

  /** Notes a message with several tool calls, and runs them side by side, each with a draft. */
  void playedInBranches(
      Message message, StateDraft whole, StateDraft.Merge merge, BranchOfCall body)
      throws InterruptedException {
    noted(message);
    List<Branch<@Nullable Object>> branches = new ArrayList<>();
    for (ToolCall call : message.toolCalls()) {
      NodeOptions options = NodeOptions.label(call.name()).kind(EventTally.TOOL);
      branches.add(new Branch<>(new NodeSpec(call.arguments(), options), body.of(call)));
    }
    List<BranchResult<@Nullable Object>> results =
        trace.all(branches, BranchOptions.defaults().state(whole, merge));
    for (int i = 0; i < results.size(); i++) {
      BranchResult<@Nullable Object> result = results.get(i);
      result.get(); // throws if the branch has failed
      latest = trace.handle(result.nodeId());
      if (latest != null) {
        openCalls.put(message.toolCalls().get(i).id(), latest);
      }
    }
  }

  private void noted(Message message) {
    TraceNode node = nodeOf(message);
    latest = node;
    node.info("{}: {}", message.role().text(), message.text());
    if (message.answeredCall() != null && openCalls.remove(message.answeredCall()) != null) {
      node.complete(message.text()); // without effect on a branch, which has ended with its body
    }
  }

  private TraceNode nodeOf(Message message) {
    TraceNode call = message.answeredCall() == null ? null : openCalls.get(message.answeredCall());
    if (call != null) {
      return call;
    }
    TraceNode current = latest;
    return current == null || message.role() == Role.USER || message.role() == Role.SYSTEM
        ? trace.add(message.text(), NodeOptions.label(labelOf(message)).kind("turn"))
        : current;
  }

  private static String labelOf(Message message) {
    String text = message.text() == null ? "" : message.text().strip();
    String line = text.lines().findFirst().orElse("");
    return message.role().text() + ": " + line;
  }

  /**
   * Completes and closes the trace, waits for its last event, and counts what it holds, once what
   * is kept of it was read back.
   */
  TraceTotals end() {
    trace.markComplete();
    trace.close();
    boolean ended = subscription.awaitEnd(LONGEST_WAIT);
    TraceSnapshot last = trace.snapshot();
    if (!ended) {
      return TraceTotals.failed(
          last.id() + ": its last event must reach the subscriber, but did not");
    }
    List<TraceEvent> events = trace.eventList(0);
    String problem = stored == null ? null : stored.problem(last.id(), events);
    return problem == null
        ? TraceTotals.of(last, events, trace.logs(), tally)
        : TraceTotals.failed(problem);
  }

  /** Makes the work of a tool call's branch. */
  interface BranchOfCall {
    BranchBody<@Nullable Object> of(ToolCall call);
  }
}
