package dev.stillframe.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads values. An object that looks like a tagged value and is none is read as a map. */
final class JsonReader {
  private final Tags tags;
  private final JsonParser in;

  JsonReader(Tags tags, JsonParser in) {
    this.tags = tags;
    this.in = in;
  }

  /** Reads the value that begins with the current token. */
  @Nullable Object value() throws IOException {
    JsonToken token = in.currentToken();
    if (token == null) {
      throw new JsonException("A value must be there; the text is empty");
    }
    return switch (token) {
      case VALUE_NULL -> null;
      case VALUE_STRING -> in.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> in.getNumberValue();
      case VALUE_NUMBER_FLOAT -> decimal();
      case START_ARRAY -> list();
      case START_OBJECT -> object();
      default -> throw new JsonException("A value must be there; there is " + token);
    };
  }

  private Object decimal() throws IOException {
    double number = in.getDoubleValue();
    if (Double.isFinite(number)) {
      return number;
    }
    return in.getDecimalValue();
  }

  private List<@Nullable Object> list() throws IOException {
    List<@Nullable Object> list = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      list.add(value());
    }
    return list;
  }

  /** Reads the members of an object as they are, whatever their names. */
  Map<String, @Nullable Object> members() throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw new JsonException("An object must be there; there is " + in.currentToken());
    }
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      members.put(name, value());
    }
    return members;
  }

  private Object object() throws IOException {
    Map<String, @Nullable Object> members = members();
    if (members.size() == 1) {
      Map.Entry<String, @Nullable Object> only = members.entrySet().iterator().next();
      Object content = only.getValue();
      if (only.getKey().startsWith("$") && content != null) {
        Object value = tagged(only.getKey(), content);
        if (value != null) {
          return value;
        }
      }
    }
    return members;
  }

  private @Nullable Object tagged(String name, Object content) {
    return switch (name) {
      case JsonWriter.SET ->
          content instanceof List<?> list ? new LinkedHashSet<Object>(list) : null;
      case JsonWriter.MAP -> content instanceof List<?> list ? map(list) : null;
      case JsonWriter.STRING -> content instanceof List<?> list ? string(list) : null;
      case JsonWriter.ARRAY -> content instanceof Map<?, ?> fields ? array(fields) : null;
      case JsonWriter.TEXT ->
          content instanceof Map<?, ?> fields
                  && fields.get("type") instanceof String type
                  && fields.get("text") instanceof String text
              ? new ObjectText(type, text)
              : null;
      default -> {
        Tag tag = tags.named(name);
        yield tag == null ? null : orNull(tag, content);
      }
    };
  }

  private static @Nullable Object orNull(Tag tag, Object content) {
    try {
      return tag.read().apply(content);
    } catch (RuntimeException malformed) {
      return null;
    }
  }

  private static @Nullable Object map(List<?> entries) {
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    for (Object entry : entries) {
      if (!(entry instanceof List<?> pair) || pair.size() != 2) {
        return null;
      }
      map.put(pair.get(0), pair.get(1));
    }
    return map;
  }

  private static @Nullable Object string(List<?> pieces) {
    for (Object piece : pieces) {
      if (!(piece instanceof String)) {
        return null;
      }
    }
    return String.join("", pieces.toArray(String[]::new));
  }

  private @Nullable Object array(Map<?, ?> fields) {
    if (!(fields.get("of") instanceof String of)
        || !(fields.get("values") instanceof List<?> list)) {
      return null;
    }
    Tag text = tags.named("$" + of);
    try {
      Object array = Array.newInstance(component(of), list.size());
      for (int i = 0; i < list.size(); i++) {
        Object element = list.get(i);
        if (text != null && element instanceof String) {
          element = text.read().apply(element);
        }
        Array.set(array, i, element);
      }
      return array;
    } catch (RuntimeException malformed) {
      return null;
    }
  }

  private static Class<?> component(String name) {
    return switch (name) {
      case "boolean" -> boolean.class;
      case "short" -> short.class;
      case "int" -> int.class;
      case "long" -> long.class;
      case "float" -> float.class;
      case "double" -> double.class;
      case "char" -> char.class;
      case "String" -> String.class;
      default -> Object.class;
    };
  }
}
