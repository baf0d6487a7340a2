package dev.stillframe.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.stillframe.state.StateDelta;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values within a document that the caller writes or reads with Jackson: what stores are made of.
 * The rules are those of {@link Json}. Generators and parsers belong to one thread; everything else
 * may be shared.
 */
public final class JsonStreams {
  /** A value has at most 500 levels, each of which is at most three in JSON. */
  private static final int DEEPEST = 2_000;

  private static final JsonFactory FACTORY = createFactory();

  private JsonStreams() {}

  private static JsonFactory createFactory() {
    return new JsonFactoryBuilder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .maxNestingDepth(DEEPEST)
                .build())
        .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
        // Keys are data: they are not to fill the JVM's table of strings, nor to be refused since
        // somebody chose them so that their hashes are the same.
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
        .characterEscapes(new LineSeparators())
        .build();
  }

  /**
   * Returns a factory of generators and parsers that can hold any value. Text that is written to an
   * {@link java.io.OutputStream} is UTF-8 in which a lone surrogate is escaped, so that it is not
   * lost; no line separator of Unicode's is in it.
   *
   * @return the factory
   */
  public static JsonFactory factory() {
    return FACTORY;
  }

  /**
   * Writes a value.
   *
   * @param json the rules
   * @param out where to
   * @param value the value
   * @throws IOException if it cannot be written
   */
  public static void write(Json json, JsonGenerator out, @Nullable Object value)
      throws IOException {
    new JsonWriter(json.tags(), out).value(value, 0);
  }

  /**
   * Writes an object whose members are named as they are, so that its names are never taken for a
   * tag. {@link #readMembers} reads it.
   *
   * @param json the rules
   * @param out where to
   * @param members the members
   * @throws IOException if it cannot be written
   */
  public static void writeMembers(
      Json json, JsonGenerator out, Map<String, ? extends @Nullable Object> members)
      throws IOException {
    JsonWriter writer = new JsonWriter(json.tags(), out);
    out.writeStartObject();
    for (Map.Entry<String, ? extends @Nullable Object> member : members.entrySet()) {
      out.writeFieldName(member.getKey());
      writer.value(member.getValue(), 0);
    }
    out.writeEndObject();
  }

  /**
   * Reads a value.
   *
   * @param json the rules
   * @param in stands at the first token of the value; afterwards, at its last one
   * @return the value, which cannot change
   * @throws IOException if it cannot be read
   * @throws JsonException if there is none, or it is nested too deeply
   */
  public static @Nullable Object read(Json json, JsonParser in) throws IOException {
    return frozen(new JsonReader(json.tags(), in).value());
  }

  /**
   * Reads an object that {@link #writeMembers} has written.
   *
   * @param json the rules
   * @param in stands at the first token of the object; afterwards, at its last one
   * @return the members, which cannot change, in order
   * @throws IOException if it cannot be read
   * @throws JsonException if there is none, or it is nested too deeply
   */
  public static Map<String, @Nullable Object> readMembers(Json json, JsonParser in)
      throws IOException {
    Map<String, @Nullable Object> members = new JsonReader(json.tags(), in).members();
    members.replaceAll((name, value) -> frozen(value));
    return Collections.unmodifiableMap(members);
  }

  /** Copies as a session state does, so that a state need not copy it again. */
  private static @Nullable Object frozen(@Nullable Object value) {
    if (value == null || value instanceof String || value instanceof Number) {
      return value;
    }
    try {
      return StateDelta.builder().set("value", value).build().asMap().get("value");
    } catch (IllegalArgumentException tooDeep) {
      throw new JsonException("A value must not be nested too deeply to be stored", tooDeep);
    }
  }

  /** Escapes, beside what must be, what some readers take for the end of a line. */
  private static final class LineSeparators extends CharacterEscapes {
    private static final long serialVersionUID = 1L;

    private static final SerializedString NEXT_LINE = new SerializedString("\\u0085");
    private static final SerializedString LINE = new SerializedString("\\u2028");
    private static final SerializedString PARAGRAPH = new SerializedString("\\u2029");

    @Override
    public int[] getEscapeCodesForAscii() {
      return standardAsciiEscapesForJSON();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return switch (character) {
        case 0x85 -> NEXT_LINE;
        case 0x2028 -> LINE;
        case 0x2029 -> PARAGRAPH;
        default -> null;
      };
    }
  }
}
