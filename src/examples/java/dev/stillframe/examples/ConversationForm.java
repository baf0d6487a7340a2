package dev.stillframe.examples;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns one element of the file into a conversation, and says where it breaks which rule. */
final class ConversationForm {
  private static final int LONGEST_QUOTE = 60;

  private final ConversationSource source;
  private final JsonLocation start;
  private final String place;

  ConversationForm(ConversationSource source, JsonLocation start, int index) {
    this.source = source;
    this.start = start;
    this.place = "[" + index + "]";
  }

  Conversation read(JsonNode node) throws BadInputException {
    requireObject("A conversation", node, place);
    List<Message> messages = new ArrayList<>();
    for (JsonNode message : array("A conversation's messages", node.get("traj"), place + ".traj")) {
      messages.add(message(message, place + ".traj[" + messages.size() + "]"));
    }
    return new Conversation(place, messages);
  }

  private Message message(JsonNode node, String path) throws BadInputException {
    requireObject("A message", node, path);
    Role role = role(node.get("role"), path + ".role");
    JsonNode content = node.get("content");
    String text = isNull(content) ? null : text("A message's content", content, path + ".content");
    return new Message(role, text, toolCalls(role, node, path), answeredCall(role, node, path));
  }

  private Role role(@Nullable JsonNode node, String path) throws BadInputException {
    Role role = node != null && node.isTextual() ? Role.named(node.textValue()) : null;
    if (role == null) {
      throw broken("A message's role must be one of " + Role.choices(), path, node);
    }
    return role;
  }

  private List<ToolCall> toolCalls(Role role, JsonNode message, String path)
      throws BadInputException {
    JsonNode node = message.get("tool_calls");
    String callsPath = path + ".tool_calls";
    if (isNull(node)) {
      return List.of();
    }
    if (role != Role.ASSISTANT) {
      throw broken("Only an assistant's message may have tool calls", callsPath, node);
    }
    List<ToolCall> calls = new ArrayList<>();
    for (JsonNode call : array("A message's tool calls", node, callsPath)) {
      calls.add(toolCall(call, callsPath + "[" + calls.size() + "]"));
    }
    return calls;
  }

  private ToolCall toolCall(JsonNode node, String path) throws BadInputException {
    requireObject("A tool call", node, path);
    JsonNode function = node.get("function");
    String functionPath = path + ".function";
    requireObject("A tool call's function", function, functionPath);
    return new ToolCall(
        text("A tool call's id", node.get("id"), path + ".id"),
        text("A tool call's name", function.get("name"), functionPath + ".name"),
        text("A tool call's arguments", function.get("arguments"), functionPath + ".arguments"));
  }

  private @Nullable String answeredCall(Role role, JsonNode message, String path)
      throws BadInputException {
    return role == Role.TOOL
        ? text("A tool message's call id", message.get("tool_call_id"), path + ".tool_call_id")
        : null;
  }

  private void requireObject(String what, @Nullable JsonNode node, String path)
      throws BadInputException {
    if (node == null || !node.isObject()) {
      throw broken(what + " must be an object", path, node);
    }
  }

  private JsonNode array(String what, @Nullable JsonNode node, String path)
      throws BadInputException {
    if (node == null || !node.isArray()) {
      throw broken(what + " must be an array", path, node);
    }
    return node;
  }

  private String text(String what, @Nullable JsonNode node, String path) throws BadInputException {
    if (node == null || !node.isTextual()) {
      throw broken(what + " must be text", path, node);
    }
    return node.textValue();
  }

  private static boolean isNull(@Nullable JsonNode node) {
    return node == null || node.isNull();
  }

  private BadInputException broken(String rule, String path, @Nullable JsonNode actual) {
    return new BadInputException(
        rule
            + ", but "
            + path
            + " is "
            + quote(actual)
            + ", in the conversation at "
            + ConversationReader.place(start)
            + " of "
            + source.name());
  }

  private static String quote(@Nullable JsonNode node) {
    if (node == null) {
      return "absent";
    }
    String json = node.toString();
    return json.length() <= LONGEST_QUOTE ? json : json.substring(0, LONGEST_QUOTE) + "...";
  }
}
