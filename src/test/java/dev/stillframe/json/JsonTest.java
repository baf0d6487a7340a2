package dev.stillframe.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stillframe.state.StateDelta;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonTest {
  private static final Json JSON = Json.standard();

  private static Object again(Object value) {
    return JSON.read(JSON.write(value));
  }

  static Stream<Object> values() {
    Map<Object, Object> keyed = new LinkedHashMap<>();
    keyed.put(1, "one");
    keyed.put(null, null);
    keyed.put(List.of("a"), Map.of());
    return Stream.of(
        "",
        "plain",
        "\u2028\u2029\u0085\r\n\u0000\t\"\\/\u001f\u007f",
        "emoji \ud83d\ude00, lone \ud83d and \ude00, both \ude00\ud83d",
        true,
        false,
        0,
        -1,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE,
        5L,
        Long.MIN_VALUE,
        Integer.MAX_VALUE + 1L,
        (byte) 7,
        (short) -7,
        'x',
        '\ud83d',
        1.5f,
        Float.NaN,
        0.0,
        -0.0,
        1.0,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        1e23,
        Double.NaN,
        Double.NEGATIVE_INFINITY,
        new BigDecimal("1.50"),
        new BigDecimal("1E+1000000"),
        BigInteger.ONE,
        BigInteger.TWO.pow(5_000),
        Instant.parse("2026-02-03T04:05:06.123456789Z"),
        Instant.MAX,
        Instant.MIN,
        Duration.ofSeconds(-5, 7),
        LocalDate.of(2026, 2, 3),
        LocalDateTime.of(2026, 11, 1, 1, 30),
        OffsetDateTime.parse("2026-11-01T01:30:00-04:00"),
        new UUID(1, 2),
        List.of(),
        Arrays.asList(1, null, "x", List.of(2L)),
        Map.of(),
        Map.of("a", 1, "b", List.of(Map.of("c", 2.0))),
        Map.of("$long", "7"),
        Map.of("$anything", 1),
        Map.of("$set", List.of(1), "other", 2),
        Map.of("$", Map.of("$map", List.of())),
        keyed,
        new LinkedHashSet<>(Arrays.asList(3, 1, null, "2")),
        new ObjectText("a.Class", "text"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valueComesBackEqual(Object value) {
    assertThat(again(value)).isEqualTo(value);
    assertThat(again(List.of(value))).isEqualTo(List.of(value));
    assertThat(again(Map.of("k", value))).isEqualTo(Map.of("k", value));
    assertThat(again(Map.of(value, value, "k", 1))).isEqualTo(Map.of(value, value, "k", 1));
  }

  /** Parsers of bytes and of texts differ. */
  @ParameterizedTest
  @MethodSource("values")
  void valueComesBackEqualFromBytes(Object value) throws Exception {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("value", value);
    members.put("nested", Map.of(value, List.of(value)));
    members.put(value.toString(), 1);
    members.put("a\"b", 2);
    assertThat(membersAgain(members)).isEqualTo(members);
  }

  @Test
  void membersAreNamedAsTheyAre() throws Exception {
    for (Map<String, Object> members :
        List.<Map<String, Object>>of(
            Map.of(),
            Map.of("$long", "7"),
            Map.of("$map", List.of(List.of("a", 1))),
            Map.of("\ud83d", 1))) {
      assertThat(membersAgain(members)).isEqualTo(members);
    }
  }

  private static Map<String, Object> membersAgain(Map<String, Object> members) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JsonStreams.factory().createGenerator(bytes)) {
      JsonStreams.writeMembers(JSON, out, members);
    }
    try (JsonParser in = JsonStreams.factory().createParser(bytes.toByteArray())) {
      in.nextToken();
      return JsonStreams.readMembers(JSON, in);
    }
  }

  static Stream<Object> arrays() {
    return Stream.of(
        new byte[] {1, -1},
        new boolean[] {true},
        new short[] {1},
        new int[] {1, 2},
        new long[] {1, Long.MAX_VALUE},
        new float[] {1.5f, Float.NaN},
        new double[] {1, Double.NaN},
        new char[] {'a', '\ud83d'},
        new String[] {"a", null},
        new Object[] {1, "b", null, new int[] {1}});
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void arrayComesBackOfTheSameClass(Object array) {
    assertThat(again(array)).isInstanceOf(array.getClass()).isEqualTo(array);
    Object nested = again(Map.of("k", List.of(array)));
    assertThat(((List<?>) ((Map<?, ?>) nested).get("k")).get(0)).isEqualTo(array);
  }

  @Test
  void otherArraysComeBackAsObjects() {
    assertThat(again(new Integer[] {1, 2})).isEqualTo(new Object[] {1, 2});
    assertThat(again(new int[][] {{1}, {2}}))
        .isEqualTo(new Object[] {new int[] {1}, new int[] {2}});
    assertThat(again(new ArrayDeque<>(List.of(1, 2)))).isEqualTo(List.of(1, 2));
    assertThat(again(null)).isNull();
  }

  @Test
  void orderOfMembersStays() {
    Map<String, Object> map = new LinkedHashMap<>();
    IntStream.range(0, 100).forEach(i -> map.put("k" + (i * 37 % 100), i));
    assertThat(((Map<?, ?>) again(map)).keySet().stream().toList())
        .isEqualTo(List.copyOf(map.keySet()));
  }

  @Test
  void whatIsReadCannotBeChanged() {
    Map<?, ?> read = (Map<?, ?>) again(Map.of("list", new ArrayList<>(List.of(1))));
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(read::clear);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> ((List<?>) read.get("list")).remove(0));
  }

  @Test
  void whatJsonCanHoldLooksLikeItself() throws Exception {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("s", "é\u2028");
    map.put("i", 1);
    map.put("d", 1.0);
    map.put("l", 3_000_000_000L);
    map.put("n", null);
    map.put("a", List.of(true));
    assertThat(JSON.write(map))
        .isEqualTo(
            "{\"s\":\"é\\u2028\",\"i\":1,\"d\":1.0,\"l\":3000000000,\"n\":null,\"a\":[true]}");
    assertThat(new ObjectMapper().readValue(JSON.write(map), Map.class)).isEqualTo(map);
  }

  /** Values that cannot be written as JSON. */
  @Test
  void valuesThatCannotBeWrittenAsJson() {
    class Broken {
      @Override
      public String toString() {
        throw new LinkageError("on purpose");
      }
    }
    class Silent {
      @Override
      public String toString() {
        return null;
      }
    }
    Runnable lambda = () -> {};
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("thread", Thread.currentThread());
    values.put("lambda", lambda);
    values.put("broken", new Broken());
    values.put("silent", new Silent());
    values.put("counter", new AtomicInteger(3));
    values.put("long", new StringBuilder("x".repeat(20_000)));
    values.put("torn", new Torn());
    values.put("good", "yes");
    Map<?, ?> read = (Map<?, ?>) again(values);
    assertThat(read.get("good")).isEqualTo("yes");
    assertThat(read.get("thread"))
        .isEqualTo(new ObjectText("java.lang.Thread", Thread.currentThread().toString()));
    assertThat(read.get("lambda"))
        .isEqualTo(new ObjectText(lambda.getClass().getName(), lambda.toString()));
    assertThat(read.get("broken"))
        .isEqualTo(
            new ObjectText(Broken.class.getName(), "(the text threw java.lang.LinkageError)"));
    assertThat(read.get("silent")).isEqualTo(new ObjectText(Silent.class.getName(), "null"));
    assertThat(read.get("counter"))
        .isEqualTo(new ObjectText("java.util.concurrent.atomic.AtomicInteger", "3"));
    assertThat(read.get("long").toString()).hasSize(10_000);
    assertThat(read.get("torn")).isInstanceOf(ObjectText.class);
    assertThat(again(read)).as("what came back goes and comes back equal").isEqualTo(read);
  }

  /** A list that somebody shortens while it is read. */
  private static final class Torn extends AbstractList<Object> {
    @Override
    public Object get(int index) {
      throw new IndexOutOfBoundsException(index);
    }

    @Override
    public int size() {
      return 2;
    }
  }

  private static Object nested(int levels) {
    Object value = "end";
    for (int i = 0; i < levels; i++) {
      value = i % 2 == 0 ? new ArrayList<>(List.of(value)) : new HashMap<>(Map.of(1, value));
    }
    return value;
  }

  @Test
  void deepValuesAreBounded() {
    assertThat(again(nested(500))).isEqualTo(nested(500));
    assertThat(JSON.write(nested(501))).contains("(deeper than 500 levels)");
    assertThat(JSON.write(nested(100_000))).contains("(deeper than 500 levels)");
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    assertThat(JSON.write(itself)).contains("(deeper than 500 levels)");
    for (String deep : List.of("[".repeat(501) + "]".repeat(501), "[".repeat(1_000_000))) {
      assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JSON.read(deep));
    }
  }

  @Test
  void fiftyMegabytesOfTextComeBack() {
    String text = "0123456789abcdé\u2028".repeat(50_000_000 / 16);
    assertThat(again(text).equals(text)).isTrue();
    String splitPair = "x".repeat((1 << 18) - 1) + "\ud83d\ude00".repeat(10);
    assertThat(again(splitPair)).isEqualTo(splitPair);
  }

  @Test
  void otherPeoplesJson() {
    assertThat(JSON.read(" {\"a\" : [1, 2.50, 12345678901234567890, 1e400], \"b\":{\"$long\":7}} "))
        .isEqualTo(
            Map.of(
                "a",
                List.of(1, 2.5, new BigInteger("12345678901234567890"), new BigDecimal("1E+400")),
                "b",
                Map.of("$long", 7)));
    assertThat(JSON.read("{\"$set\":3}")).isEqualTo(Map.of("$set", 3));
    assertThat(JSON.read("{\"$map\":[[1]]}")).isEqualTo(Map.of("$map", List.of(List.of(1))));
    assertThat(JSON.read("{\"$array\":{\"of\":\"int\",\"values\":[\"x\"]}}"))
        .isInstanceOf(Map.class);
    assertThat(JSON.read("{\"$uuid\":\"x\"}")).isEqualTo(Map.of("$uuid", "x"));
    assertThat(JSON.read("{\"$char\":\"xy\"}")).isEqualTo(Map.of("$char", "xy"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void badTextIsRefused(String text) {
    assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JSON.read(text));
    assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JSON.readDelta(text));
  }

  static Stream<String> bad() {
    return Stream.of(
        "",
        " ",
        "{",
        "[1",
        "[1,]",
        "nul",
        "{}{}",
        "1 2",
        "{\"a\":}",
        "\"\u0001\"",
        "[\"\\x\"]",
        "}");
  }

  @Test
  void deltaComesBackEqual() {
    StateDelta delta =
        StateDelta.builder()
            .set("a", 1L)
            .remove("gone")
            .set("$long", List.of(Map.of("$x", 1)))
            .set("bytes", new byte[] {1})
            .set("lone \ud83d", 1)
            .build();
    assertThat(JSON.readDelta(JSON.writeDelta(delta))).isEqualTo(delta);
    StateDelta single = StateDelta.builder().set("$long", "7").build();
    assertThat(JSON.writeDelta(single)).isEqualTo("{\"$long\":\"7\"}");
    assertThat(JSON.readDelta(JSON.writeDelta(single))).isEqualTo(single);
    assertThat(JSON.readDelta("{\"k\":null}").asMap()).containsEntry("k", null);
    assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JSON.readDelta("[]"));
  }

  private record Money(int cents) {}

  private interface Shape {}

  private record Circle(Object radius) implements Shape {}

  @Test
  void aClassCanBeGivenATag() {
    assertThat(again(new Money(5)))
        .isEqualTo(new ObjectText(Money.class.getName(), "Money[cents=5]"));
    Json json =
        JSON.with("money", Money.class, Money::cents, read -> new Money((Integer) read))
            .with("circle", Shape.class, s -> ((Circle) s).radius(), Circle::new);
    assertThat(json.write(List.of(new Money(5)))).isEqualTo("[{\"$money\":5}]");
    Object value = List.of(new Money(5), new Circle(new Circle(2)));
    assertThat(json.read(json.write(value))).isEqualTo(value);
    assertThat(json.read("{\"$money\":\"x\"}")).isEqualTo(Map.of("$money", "x"));
  }

  @Test
  void aTagIsUsedOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JSON.with("set", Money.class, m -> m, o -> null))
        .withMessageContaining("'set'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JSON.with("big", BigDecimal.class, m -> m, o -> null))
        .withMessageContaining("java.math.BigDecimal");
    Json loop = JSON.with("loop", Thread.class, thread -> thread, o -> null);
    assertThat(loop.write(Thread.currentThread())).contains("$text");
    Json broken =
        JSON.with(
            "broken",
            Thread.class,
            thread -> {
              throw new AssertionError("on purpose");
            },
            o -> null);
    assertThat(broken.write(List.of(Thread.currentThread(), 1))).contains("$text").endsWith(",1]");
  }
}
