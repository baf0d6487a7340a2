package dev.stillframe.examples;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recorded conversation.
 *
 * @param place where it stands in its file, such as {@code [17]}
 */
record Conversation(String place, List<Message> messages) {

  Conversation {
    messages = List.copyOf(messages);
  }

  /** Returns the text with which a tool answered a call, or null if it never did. */
  @Nullable String answerTo(ToolCall call) {
    return messages.stream()
        .filter(message -> call.id().equals(message.answeredCall()))
        .findFirst()
        .map(Message::text)
        .orElse(null);
  }
}
