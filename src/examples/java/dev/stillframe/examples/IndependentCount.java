package dev.stillframe.examples;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts what is in a source token by token. It shares nothing with {@link ConversationReader} and
 * the replay but the checksum of a text, so that their totals can be held against it. The source
 * must have been validated.
 */
final class IndependentCount {
  private final JsonParser parser;
  private final Map<Role, Long> messages = new EnumMap<>(Role.class);
  private long conversations;
  private long toolCalls;
  private long checksum;

  private IndependentCount(JsonParser parser) {
    this.parser = parser;
  }

  static Totals of(ConversationSource source) throws BadInputException {
    try (JsonParser parser = new JsonFactory().createParser(source.open())) {
      return new IndependentCount(parser).count();
    } catch (IOException e) {
      throw new BadInputException(
          "The file to replay must not change meanwhile, but " + source.name() + " has: " + e);
    }
  }

  private Totals count() throws IOException {
    parser.nextToken();
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      conversations++;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        if (field.equals("traj")) {
          countMessages();
        } else {
          parser.skipChildren();
        }
      }
    }
    return new Totals(conversations, messages, toolCalls, checksum);
  }

  private void countMessages() throws IOException {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        countField(parser.currentName(), parser.nextToken());
      }
    }
  }

  private void countField(String field, JsonToken value) throws IOException {
    if (field.equals("role")) {
      Role role = Role.named(parser.getText());
      if (role != null) {
        messages.merge(role, 1L, Long::sum);
      }
    } else if (field.equals("content") && value == JsonToken.VALUE_STRING) {
      checksum += Message.checksum(parser.getText());
    } else if (field.equals("tool_calls") && value == JsonToken.START_ARRAY) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        toolCalls++;
        parser.skipChildren();
      }
    } else {
      parser.skipChildren();
    }
  }
}
