package dev.stillframe.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stillframe.json.Json;
import dev.stillframe.json.JsonException;
import dev.stillframe.trace.LogLevel;
import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.NodeStatus;
import dev.stillframe.trace.TraceError;
import dev.stillframe.trace.TraceEvent;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceNode;
import dev.stillframe.trace.TraceStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventJsonTest {
  private static final EventJson FORM = EventJson.standard();
  private static final Instant AT = Instant.parse("2026-02-03T04:05:06.123456789Z");

  @Test
  void namesAreInSnakeCase() throws Exception {
    TraceEvent event =
        new TraceEvent.LogAdded("t", 12, AT, "n1", LogLevel.INFO, "{} offers", List.of(3));
    assertThat(FORM.write(event))
        .isEqualTo(
            "{\"sequence\":12,\"type\":\"log_added\",\"trace_id\":\"t\",\"node_id\":\"n1\","
                + "\"timestamp\":1770091506123,\"nanos\":456789,"
                + "\"data\":{\"level\":\"info\",\"message\":\"{} offers\",\"arguments\":[3]}}");
    JsonNode space =
        new ObjectMapper()
            .readTree(FORM.write(new TraceEvent.MemoryAdd("t", 3, Instant.EPOCH, "s1", "k", 1)));
    assertThat(space.get("space_id").asText()).isEqualTo("s1");
    assertThat(space.get("timestamp").asLong()).isZero();
    assertThat(space.has("nanos")).isFalse();
  }

  @Test
  void everyKindComesBackEqual() {
    TraceError error = new TraceError("a.Class", null);
    for (TraceEvent event :
        List.of(
            new TraceEvent.Init("t", 1, AT, null, Map.of()),
            new TraceEvent.NodeStart(
                "t",
                2,
                AT,
                "n",
                List.of("p"),
                NodeStatus.PENDING,
                "",
                null,
                Map.of(),
                Map.of("k", error),
                TraceEvent.Place.BESIDE),
            new TraceEvent.NodeUpdated("t", 3, AT, "n", null, List.of(), Map.of()),
            new TraceEvent.NodeComplete("t", 4, AT, "n", Map.of()),
            new TraceEvent.NodeFailed("t", 5, AT, "n", error),
            new TraceEvent.NodeSkipped("t", 6, AT, "n", null),
            new TraceEvent.NodeCancelled("t", 7, AT, "n", ""),
            new TraceEvent.LogAdded("t", 8, AT, "n", LogLevel.WARN, "", Arrays.asList(null, error)),
            new TraceEvent.SpaceCreated("t", 9, AT, "s", "", Map.of()),
            new TraceEvent.SpaceDeleted("t", 10, AT, "s"),
            new TraceEvent.MemoryAdd("t", 11, AT, "s", "$map", Map.of()),
            new TraceEvent.MemoryUpdate("t", 12, AT, "s", "", ""),
            new TraceEvent.MemoryDelete("t", 13, AT, "s", "\ud83d"),
            new TraceEvent.Complete("t", 14, AT, TraceStatus.FAILED, "because"),
            new TraceEvent.Gap("t", 15, 20, AT))) {
      assertThat(FORM.read(FORM.write(event))).isEqualTo(event);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1000000000-01-01T00:00:00Z",
        "+1000000000-12-31T23:59:59.999999999Z",
        "1969-12-31T23:59:59.999999999Z",
        "1970-01-01T00:00:00.000000001Z",
        "+292278994-08-17T07:12:55.807Z",
        "+292278994-08-17T07:12:55.808Z"
      })
  void anyInstantComesBackEqual(String instant) {
    TraceEvent event = new TraceEvent.SpaceDeleted("t", 1, Instant.parse(instant), "s");
    assertThat(FORM.read(FORM.write(event))).isEqualTo(event);
  }

  @Test
  void unknownMembersDoNotMatter() {
    assertThat(
            FORM.read(
                "{\"new\":[{}],\"data\":{\"x\":1},\"space_id\":\"s\",\"timestamp\":0,"
                    + "\"trace_id\":\"t\",\"type\":\"space_deleted\",\"sequence\":1}"))
        .isEqualTo(new TraceEvent.SpaceDeleted("t", 1, Instant.EPOCH, "s"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "null",
        "{\"sequence\":1}",
        "{\"sequence\":9007199254740992,\"type\":\"space_deleted\",\"trace_id\":\"t\",\"space_id\":\"s\",\"timestamp\":0,\"data\":{}}",
        "{\"sequence\":0,\"type\":\"space_deleted\",\"trace_id\":\"t\",\"space_id\":\"s\",\"timestamp\":0,\"data\":{}}",
        "{\"sequence\":1,\"type\":\"other\",\"trace_id\":\"t\",\"space_id\":\"s\",\"timestamp\":0,\"data\":{}}",
        "{\"sequence\":1,\"type\":\"space_deleted\",\"trace_id\":\"t\",\"timestamp\":0,\"data\":{}}",
        "{\"sequence\":\"x\",\"type\":\"space_deleted\",\"trace_id\":\"t\",\"space_id\":\"s\",\"timestamp\":0}",
        "{\"sequence\":1,\"type\":\"init\",\"trace_id\":\"t\",\"timestamp\":0,\"data\":{\"metadata\":7}}",
        "{\"sequence\":1,\"type\":\"memory_add\",\"trace_id\":\"t\",\"space_id\":\"s\",\"timestamp\":0,\"data\":{\"key\":\"k\"}}",
        "{\"sequence\":1,\"type\":\"complete\",\"trace_id\":\"t\",\"timestamp\":0,\"data\":{\"status\":\"x\"}}",
        "{\"sequence\":1,\"type\":\"space_deleted\",\"trace_id\":\"t\",\"space_id\":\"s\",\"timestamp\":0}{}"
      })
  void whatIsNoEventIsRefused(String text) {
    assertThatExceptionOfType(JsonException.class).isThrownBy(() -> FORM.read(text));
  }

  @Test
  void valuesMayHaveRulesOfOnesOwn() {
    record Money(int cents) {}
    EventJson form =
        EventJson.of(
            Json.standard().with("money", Money.class, Money::cents, c -> new Money((int) c)));
    TraceEvent event = new TraceEvent.MemoryAdd("t", 1, AT, "s", "k", new Money(5));
    assertThat(form.read(form.write(event))).isEqualTo(event);
    Json taken = Json.standard().with("error", Money.class, m -> 1, o -> null);
    assertThatIllegalArgumentException().isThrownBy(() -> EventJson.of(taken));
  }

  /** A browser's connection that is lost at any moment, by the text that it receives. */
  @Test
  void resumeRepeatsNothingAndLeavesOutNothing() {
    TraceManager trace = TraceManager.open();
    TraceNode node = trace.add("line\nbreak \u2028", NodeOptions.label("n\r\n\r\nid: 7"));
    for (int i = 0; i < 100; i++) {
      node.info("{}", i);
    }
    trace.markComplete();
    List<TraceEvent> all = trace.eventList(0);
    for (int received = 0; received <= all.size(); received++) {
      StringBuilder wire = new StringBuilder();
      all.subList(0, received).forEach(event -> wire.append(FORM.serverSentEvent(event)));
      List<TraceEvent> client = new ArrayList<>();
      String lastEventId = receive(wire.toString(), client);
      long after = EventJson.lastEventId(lastEventId);
      StringBuilder rest = new StringBuilder();
      trace.streamAfter(after).forEach(event -> rest.append(FORM.serverSentEvent(event)));
      receive(rest.toString(), client);
      assertThat(client).isEqualTo(all);
    }
    trace.close();
  }

  /** Does what the standard asks of a browser; returns the last id, or null if there was none. */
  private static String receive(String stream, List<TraceEvent> events) {
    String id = null;
    String data = "";
    for (String line : stream.split("\r\n|\r|\n", -1)) {
      if (line.isEmpty() && !data.isEmpty()) {
        events.add(FORM.read(data));
        data = "";
      } else if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("data: ")) {
        data += line.substring(6);
      }
    }
    return id;
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "x", "-1", "1.5", "99999999999999999999", "1\0"})
  void anotherIdMeansFromTheStart(String header) {
    assertThat(EventJson.lastEventId(header)).isZero();
  }

  @Test
  void anIdOfOursMeansAfterIt() {
    assertThat(EventJson.lastEventId(" 12 ")).isEqualTo(12);
    assertThat(FORM.serverSentEvent(new TraceEvent.Gap("t", 3, 9, AT)))
        .startsWith("id: 9\nevent: gap\ndata: {")
        .contains("\"first_missing\":3,\"last_missing\":9")
        .endsWith("}\n\n");
  }
}
