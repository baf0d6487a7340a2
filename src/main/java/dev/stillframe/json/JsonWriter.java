package dev.stillframe.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes values. What it is given is written whole, or as its text; see {@link Json}. */
final class JsonWriter {
  static final String SET = "$set";
  static final String MAP = "$map";
  static final String STRING = "$string";
  static final String ARRAY = "$array";
  static final String TEXT = "$text";
  static final Set<String> OWN_TAGS = Set.of(SET, MAP, STRING, ARRAY, TEXT);

  /** Primitive types whose values are written as texts in an array, since JSON has one number. */
  private static final Set<Class<?>> AS_TEXT =
      Set.of(byte.class, short.class, long.class, float.class, char.class);

  /** As deep as a session state stores values. */
  private static final int DEEPEST = 500;

  /**
   * The longest piece of a string. A parser needs several times the size of what it reads in one
   * piece.
   */
  private static final int LONGEST_PIECE = 1 << 18;

  private final Tags tags;
  private final JsonGenerator out;

  JsonWriter(Tags tags, JsonGenerator out) {
    this.tags = tags;
    this.out = out;
  }

  void value(@Nullable Object value, int depth) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof String string) {
      string(string);
    } else if (value instanceof Integer number) {
      out.writeNumber(number);
    } else if (value instanceof Boolean bool) {
      out.writeBoolean(bool);
    } else if (value instanceof Double number && Double.isFinite(number)) {
      out.writeNumber(number);
    } else if (value instanceof Long number && number != number.intValue()) {
      out.writeNumber(number); // one that fits an int would come back as an int
    } else if (value instanceof Map<?, ?> map) {
      map(map, depth);
    } else if (value instanceof Collection<?> collection) {
      collection(collection, depth);
    } else {
      other(value, depth);
    }
  }

  private void string(String string) throws IOException {
    if (string.length() <= LONGEST_PIECE) {
      out.writeString(string);
      return;
    }
    out.writeStartObject();
    out.writeArrayFieldStart(STRING);
    for (int from = 0; from < string.length(); from += LONGEST_PIECE) {
      out.writeString(string.substring(from, Math.min(string.length(), from + LONGEST_PIECE)));
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void map(Map<?, ?> map, int depth) throws IOException {
    Object[] entries = elements(map.entrySet(), depth);
    if (entries == null) {
      text(map, depth);
    } else if (isPlain(entries)) {
      out.writeStartObject();
      for (Object entry : entries) {
        Map.Entry<?, ?> member = (Map.Entry<?, ?>) entry;
        out.writeFieldName((String) member.getKey());
        value(member.getValue(), depth + 1);
      }
      out.writeEndObject();
    } else {
      out.writeStartObject();
      out.writeArrayFieldStart(MAP);
      for (Object entry : entries) {
        Map.Entry<?, ?> member = (Map.Entry<?, ?>) entry;
        out.writeStartArray();
        value(member.getKey(), depth + 1);
        value(member.getValue(), depth + 1);
        out.writeEndArray();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  /** Tells whether the keys are texts, and a reader will not take them for a tag. */
  private static boolean isPlain(Object[] entries) {
    for (Object entry : entries) {
      if (!(((Map.Entry<?, ?>) entry).getKey() instanceof String key)
          || (entries.length == 1 && key.startsWith("$"))) {
        return false;
      }
    }
    return true;
  }

  private void collection(Collection<?> collection, int depth) throws IOException {
    Object[] elements = elements(collection, depth);
    if (elements == null) {
      text(collection, depth);
    } else if (collection instanceof Set) {
      out.writeStartObject();
      out.writeFieldName(SET);
      array(elements, depth);
      out.writeEndObject();
    } else {
      array(elements, depth);
    }
  }

  /** Returns what is to be written, which no longer changes, or null if it cannot be had. */
  private static Object @Nullable [] elements(Collection<?> collection, int depth) {
    try {
      return depth < DEEPEST ? collection.toArray() : null;
    } catch (Throwable thrown) { // code of a user, or a collection that somebody changes
      return null;
    }
  }

  private void array(@Nullable Object[] elements, int depth) throws IOException {
    out.writeStartArray();
    for (Object element : elements) {
      value(element, depth + 1);
    }
    out.writeEndArray();
  }

  private void other(Object value, int depth) throws IOException {
    Tag tag = tags.of(value);
    if (value instanceof ObjectText text) {
      text(text);
    } else if (tag != null && depth < DEEPEST) { // what a user's tag makes of it may be nested too
      tagged(tag, value, depth);
    } else if (value.getClass().isArray() && depth < DEEPEST) {
      javaArray(value, depth);
    } else {
      text(value, depth);
    }
  }

  private void tagged(Tag tag, Object value, int depth) throws IOException {
    Object plain;
    try {
      plain = tag.write().apply(value);
    } catch (Throwable thrown) { // code of a user
      text(value, depth);
      return;
    }
    out.writeStartObject();
    out.writeFieldName("$" + tag.name());
    value(plain, depth + 1);
    out.writeEndObject();
  }

  private void javaArray(Object array, int depth) throws IOException {
    Class<?> type = array.getClass().getComponentType();
    @Nullable Object[] elements = new Object[Array.getLength(array)];
    for (int i = 0; i < elements.length; i++) {
      Object element = Array.get(array, i);
      elements[i] = AS_TEXT.contains(type) ? String.valueOf(element) : element;
    }
    out.writeStartObject();
    out.writeObjectFieldStart(ARRAY);
    out.writeStringField(
        "of", type.isPrimitive() || type == String.class ? type.getSimpleName() : "Object");
    out.writeFieldName("values");
    array(elements, depth);
    out.writeEndObject();
    out.writeEndObject();
  }

  private void text(Object value, int depth) throws IOException {
    boolean isNested =
        value instanceof Map || value instanceof Collection || value.getClass().isArray();
    text(
        isNested && depth >= DEEPEST
            ? new ObjectText(value.getClass().getName(), "(deeper than " + DEEPEST + " levels)")
            : ObjectText.of(value));
  }

  private void text(ObjectText text) throws IOException {
    out.writeStartObject();
    out.writeObjectFieldStart(TEXT);
    out.writeStringField("type", text.type());
    out.writeStringField("text", text.text());
    out.writeEndObject();
    out.writeEndObject();
  }
}
