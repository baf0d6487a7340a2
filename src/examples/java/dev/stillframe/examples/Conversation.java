package dev.stillframe.examples;

import java.util.List;

/**
 * A recorded conversation.
 *
 * @param place where it stands in its file, such as {@code [17]}
 */
record Conversation(String place, List<Message> messages) {

  Conversation {
    messages = List.copyOf(messages);
  }
}
