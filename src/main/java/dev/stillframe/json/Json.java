package dev.stillframe.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.stillframe.StillframeException;
import dev.stillframe.state.StateDelta;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plain values as JSON, and back. Immutable; it may be used by any number of threads.
 *
 * <p><b>What looks like itself</b> and comes back equal, type and order included: {@code null},
 * texts (lone surrogates too), booleans, {@code Integer}, finite {@code Double} (written with a
 * point or an exponent), {@code Long} outside of the range of {@code Integer}, lists, and maps
 * whose keys are texts. What comes back cannot be changed, and is a copy as a session state makes
 * it.
 *
 * <p><b>What is tagged</b>, and comes back equal too, is an object whose only member's name begins
 * with {@code $}:
 *
 * <pre>
 *  {"$long":"7"}                     also $byte, $short, $float, $char, and $double for NaN and infinity
 *  {"$decimal":"1.50"}               BigDecimal; $integer is a BigInteger
 *  {"$instant":"2026-02-03T04:05:06Z"}   also $duration, $date, $date_time, $offset_date_time, $uuid
 *  {"$bytes":"AQID"}                 a byte array, in Base64
 *  {"$set":[1,2]}                    a set
 *  {"$map":[[1,"one"],["$k",2]]}     a map with a key that is no text, or that looks like a tag
 *  {"$array":{"of":"int","values":[1,2]}}   another array; of objects it comes back as Object[]
 *  {"$string":["…","…"]}             a text of more than 262,144 characters, in pieces
 *  {"$text":{"type":"java.lang.Thread","text":"…"}}   what JSON cannot hold: an {@link ObjectText}
 * </pre>
 *
 * <p><b>What JSON cannot hold</b> is written as its class and its text, and comes back as an {@link
 * ObjectText}; so are records and enums, unless {@link #with} says how they look, what is nested
 * deeper than 500 levels, and a collection that throws while it is read. So writing never fails,
 * and never breaks the values beside. Collections that are no list and no set come back as lists.
 *
 * <p>Other people's JSON can be read as well: an object that is no tagged value of this kind is a
 * map, and a number is an {@code Integer}, {@code Long} or {@code BigInteger}, or, if it has a
 * point or an exponent, a {@code Double}.
 *
 * <p>It needs {@code com.fasterxml.jackson.core:jackson-core}.
 */
public final class Json {
  private final Tags tags;

  private Json(Tags tags) {
    this.tags = tags;
  }

  /**
   * Returns the rules above.
   *
   * @return the standard rules
   * @throws StillframeException if Jackson is missing
   */
  public static Json standard() {
    try {
      JsonStreams.factory();
    } catch (NoClassDefFoundError missing) {
      throw new StillframeException(
          "JSON needs Jackson, which is missing: com.fasterxml.jackson.core:jackson-core must be on"
              + " the class path, or on the module path with"
              + " --add-modules com.fasterxml.jackson.core",
          missing);
    }
    return new Json(Tags.STANDARD);
  }

  /**
   * Returns these rules and one more, for values of a class that JSON knows nothing about. They are
   * written as {@code {"$tag": …}}. Subclasses count too, unless they have a tag of their own.
   * Collections and maps are always written as such.
   *
   * <pre>{@code
   * Json json =
   *     Json.standard().with("money", Money.class, Money::toString, text -> Money.parse((String) text));
   * }</pre>
   *
   * @param <T> the class
   * @param tag the name of the tag, without the sign
   * @param type the class
   * @param write returns something that can be written for a value: a text, a map, a list; if it
   *     throws, the value's {@link ObjectText} is written
   * @param read returns the value for what was written; if it throws a {@link RuntimeException} or
   *     returns null, the object is read as a map
   * @return the rules with the new one
   * @throws IllegalArgumentException if the tag or the class has a rule already
   */
  public <T> Json with(
      String tag,
      Class<T> type,
      Function<? super T, ?> write,
      Function<Object, ? extends @Nullable T> read) {
    Objects.requireNonNull(write, "write");
    Objects.requireNonNull(read, "read");
    return new Json(
        tags.with(
            new Tag(
                Objects.requireNonNull(tag, "tag"),
                Objects.requireNonNull(type, "type"),
                value -> write.apply(type.cast(value)),
                read::apply)));
  }

  /**
   * Writes a value.
   *
   * @param value the value
   * @return one line of JSON
   */
  public String write(@Nullable Object value) {
    return document(out -> JsonStreams.write(this, out, value));
  }

  /**
   * Reads a value.
   *
   * @param json one value as JSON
   * @return the value
   * @throws JsonException if it is no JSON, or more than one value, or nested too deeply
   */
  public @Nullable Object read(String json) {
    return parsed(json, in -> JsonStreams.read(this, in));
  }

  /**
   * Writes a delta as an object whose members are the changes; null stands for a removal, as in a
   * merge patch.
   *
   * @param delta the delta
   * @return one line of JSON
   */
  public String writeDelta(StateDelta delta) {
    Map<String, @Nullable Object> changes = delta.asMap();
    return document(out -> JsonStreams.writeMembers(this, out, changes));
  }

  /**
   * Reads a delta.
   *
   * @param json the delta as {@link #writeDelta} writes it
   * @return the delta
   * @throws JsonException if it is no JSON object, or nested too deeply
   */
  public StateDelta readDelta(String json) {
    Object delta = parsed(json, in -> StateDelta.fromMap(JsonStreams.readMembers(this, in)));
    return (StateDelta) Objects.requireNonNull(delta);
  }

  Tags tags() {
    return tags;
  }

  /** Writes something. */
  private interface Writing {
    void to(JsonGenerator out) throws IOException;
  }

  /** Reads something. */
  private interface Reading {
    @Nullable Object from(JsonParser in) throws IOException;
  }

  private static String document(Writing body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JsonStreams.factory().createGenerator(bytes)) {
      body.to(out);
    } catch (IOException thrown) {
      throw new JsonException("A value must be written to memory; it was not", thrown);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static @Nullable Object parsed(String json, Reading body) {
    try (JsonParser in = JsonStreams.factory().createParser(json)) {
      in.nextToken();
      Object read = body.from(in);
      JsonToken more = in.nextToken();
      if (more != null) {
        throw new JsonException("There must be one value; " + more + " follows it");
      }
      return read;
    } catch (IOException | StackOverflowError thrown) {
      throw new JsonException("The text must be JSON; it is not: " + thrown.getMessage(), thrown);
    }
  }
}
