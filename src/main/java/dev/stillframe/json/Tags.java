package dev.stillframe.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tags that are there from the start, and those that a user adds. Immutable. */
final class Tags {
  static final Tags STANDARD =
      new Tags(
          List.of(
              Tag.text("byte", Byte.class, Byte::valueOf),
              Tag.text("short", Short.class, Short::valueOf),
              Tag.text("int", Integer.class, Integer::valueOf),
              Tag.text("long", Long.class, Long::valueOf),
              Tag.text("float", Float.class, Float::valueOf),
              Tag.text("double", Double.class, Double::valueOf),
              Tag.text("char", Character.class, Tags::character),
              Tag.text("integer", BigInteger.class, BigInteger::new),
              Tag.text("decimal", BigDecimal.class, BigDecimal::new),
              Tag.text("instant", Instant.class, Instant::parse),
              Tag.text("duration", Duration.class, Duration::parse),
              Tag.text("date", LocalDate.class, LocalDate::parse),
              Tag.text("date_time", LocalDateTime.class, LocalDateTime::parse),
              Tag.text("offset_date_time", OffsetDateTime.class, OffsetDateTime::parse),
              Tag.text("uuid", UUID.class, UUID::fromString),
              Tag.text(
                  "bytes",
                  byte[].class,
                  Base64.getEncoder()::encodeToString,
                  Base64.getDecoder()::decode)));

  private final Map<Class<?>, Tag> byType = new LinkedHashMap<>();
  private final Map<String, Tag> byName = new LinkedHashMap<>();

  private Tags(Iterable<Tag> tags) {
    tags.forEach(this::add);
  }

  private void add(Tag tag) {
    byType.put(tag.type(), tag);
    byName.put("$" + tag.name(), tag);
  }

  /** Returns these tags and one more. */
  Tags with(Tag tag) {
    if (byName.containsKey("$" + tag.name()) || JsonWriter.OWN_TAGS.contains("$" + tag.name())) {
      throw new IllegalArgumentException("A tag must be new; '" + tag.name() + "' is used");
    }
    if (byType.containsKey(tag.type())) {
      throw new IllegalArgumentException(
          "A class must have one tag; '" + tag.type().getName() + "' has one");
    }
    Tags more = new Tags(byName.values());
    more.add(tag);
    return more;
  }

  /** Finds the tag of a value's class, or else of the first class that it is an instance of. */
  @Nullable Tag of(Object value) {
    Tag exact = byType.get(value.getClass());
    if (exact != null) {
      return exact;
    }
    for (Tag tag : byType.values()) {
      if (tag.type().isInstance(value)) {
        return tag;
      }
    }
    return null;
  }

  /** Finds a tag by its name with the sign. */
  @Nullable Tag named(String name) {
    return byName.get(name);
  }

  private static Character character(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException("A character must be one; '" + text + "' is not");
    }
    return text.charAt(0);
  }
}
