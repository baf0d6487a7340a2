package dev.stillframe.examples;

import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import dev.stillframe.trace.BranchBody;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replays one conversation: each message becomes one event of the session, which makes one step of
 * its state, and is traced.
 */
final class SessionReplay {
  private final Conversation conversation;
  private final ReplayedSession session;
  private final Fleet fleet;
  private final Set<String> openCalls = new HashSet<>();
  private Step step = Step.NONE;
  private TraceTotals traced = TraceTotals.NONE;

  SessionReplay(Conversation conversation, ReplayedSession session, Fleet fleet) {
    this.conversation = conversation;
    this.session = session;
    this.fleet = fleet;
  }

  ReplayedSession session() {
    return session;
  }

  /** Returns what the trace came to, once the last message was played. */
  TraceTotals traced() {
    return traced;
  }

  /** Plays the next message, if there is one, and tells whether another one follows. */
  boolean playNext() throws InterruptedException {
    List<Message> messages = conversation.messages();
    if (step.number() == 0) {
      fleet.conversationStarted();
    }
    if (step.number() < messages.size()) {
      Message message = messages.get(step.number());
      message.toolCalls().forEach(call -> openCalls.add(call.id()));
      if (message.toolCalls().size() > 1) {
        playInBranches(message);
      } else {
        play(message);
      }
      // After the session's own state: so the fleet is never ahead of its sessions.
      fleet.messagePlayed(message);
    }
    if (step.number() < messages.size()) {
      return true;
    }
    traced = session.trace().end();
    StateDelta ended = StateDelta.builder().set(ReplayedSession.ENDED, true).build();
    session.append("replay", ended, step.number());
    fleet.conversationEnded();
    return false;
  }

  private void play(Message message) {
    session.trace().played(message);
    StateDelta.Builder calls = StateDelta.builder();
    message.toolCalls().forEach(call -> calls.set(call.openKey(), details(call)));
    if (message.answeredCall() != null) {
      openCalls.remove(message.answeredCall());
      calls.remove(ToolCall.openKey(message.answeredCall()));
    }
    int toolCalls = step.toolCalls() + message.toolCalls().size();
    take(message, toolCalls, calls.build());
  }

  /**
   * Issues several calls side by side. Each has a branch of its own that commits into the step's
   * draft; nobody else sees any of it before the step is whole.
   */
  private void playInBranches(Message message) throws InterruptedException {
    StateDraft whole = session.session().state().draft();
    session.trace().playedInBranches(message, whole, SessionReplay::settle, this::issuing);
    take(message, whole.require(Step.TOOL_CALLS), whole.delta());
  }

  /** Makes a step: an event with all that it changes. */
  private void take(Message message, int toolCalls, StateDelta besides) {
    int before = step.number();
    step = step.after(message, toolCalls, openCalls.size());
    session.append(message.role().text(), besides.then(step.delta()), before);
  }

  /** Returns a body whose result is the answer that was recorded. */
  private BranchBody<@Nullable Object> issuing(ToolCall call) {
    return branch -> {
      branch.state().set(call.openKey(), details(call));
      branch.state().update(Step.TOOL_CALLS.name(), old -> count(old) + 1);
      return conversation.answerTo(call);
    };
  }

  /** Both branches have counted their call from the same base: their differences add up. */
  private static @Nullable Object settle(
      String key, @Nullable Object base, @Nullable Object current, @Nullable Object mine) {
    return key.equals(Step.TOOL_CALLS.name()) ? count(current) + count(mine) - count(base) : mine;
  }

  private static int count(@Nullable Object value) {
    return value == null ? 0 : (Integer) value;
  }

  private static Map<String, String> details(ToolCall call) {
    return Map.of("name", call.name(), "arguments", call.arguments());
  }
}
