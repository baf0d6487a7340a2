package dev.stillframe.examples;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/** Reads conversations one after the other, so that a file of any size fits into memory. */
final class ConversationReader implements AutoCloseable {
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private final ConversationSource source;
  private final JsonParser parser;
  private boolean started;
  private int nextIndex;

  private ConversationReader(ConversationSource source, JsonParser parser) {
    this.source = source;
    this.parser = parser;
  }

  static ConversationReader open(ConversationSource source) throws BadInputException {
    try {
      return new ConversationReader(source, JSON.createParser(source.open()));
    } catch (IOException e) {
      throw unreadable(source, e);
    }
  }

  /** Reads a source to its end, to learn whether all of it can be replayed. */
  static void validate(ConversationSource source) throws BadInputException {
    try (ConversationReader reader = open(source)) {
      while (reader.next() != null) {
        // reading is the check
      }
    }
  }

  /** Returns the next conversation, or null after the last one. */
  @Nullable Conversation next() throws BadInputException {
    try {
      if (!started) {
        started = true;
        requireArray(parser.nextToken());
      }
      if (parser.nextToken() == JsonToken.END_ARRAY) {
        requireEnd();
        return null;
      }
      JsonLocation start = parser.currentTokenLocation();
      JsonNode tree = parser.readValueAsTree();
      return new ConversationForm(source, start, nextIndex++).read(tree);
    } catch (IOException e) {
      throw unreadable(source, e);
    }
  }

  private void requireArray(@Nullable JsonToken first) throws BadInputException, IOException {
    if (first == null) {
      throw notAnArray("is empty");
    }
    if (first != JsonToken.START_ARRAY) {
      throw notAnArray(
          first == JsonToken.START_OBJECT ? "holds an object" : "holds " + parser.getText());
    }
  }

  private BadInputException notAnArray(String actual) {
    return new BadInputException(
        "The file to replay must hold an array of conversations, but "
            + source.name()
            + " "
            + actual);
  }

  private void requireEnd() throws BadInputException, IOException {
    if (nextIndex == 0) {
      throw new BadInputException(
          "The file to replay must hold at least one conversation, but the array in "
              + source.name()
              + " is empty");
    }
    if (parser.nextToken() != null) {
      throw new BadInputException(
          "The file to replay must end after its array, but "
              + source.name()
              + " goes on at "
              + place(parser.currentTokenLocation()));
    }
  }

  static String place(JsonLocation location) {
    return "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static BadInputException unreadable(ConversationSource source, IOException e) {
    if (e instanceof JsonProcessingException syntax) {
      // Jackson names its source in the text, as an object of ours that means nothing to a user.
      String reason = syntax.getOriginalMessage().replaceAll("\\[Source: .*?; (.*?)]", "$1");
      JsonLocation location = syntax.getLocation();
      return new BadInputException(
          "The file to replay must be valid JSON, but "
              + source.name()
              + " is not"
              + (location == null ? "" : " at " + place(location))
              + ": "
              + reason);
    }
    if (e instanceof CharConversionException) {
      return new BadInputException(
          "The file to replay must be valid JSON, but "
              + source.name()
              + " is not: "
              + e.getMessage());
    }
    String reason = e instanceof AccessDeniedException ? "access denied" : e.toString();
    return new BadInputException(
        "The file to replay must be readable, but " + source.name() + " is not: " + reason);
  }

  @Override
  public void close() throws BadInputException {
    try {
      parser.close();
    } catch (IOException e) {
      throw unreadable(source, e);
    }
  }
}
