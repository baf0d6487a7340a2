package dev.stillframe.examples;

import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateKey;
import dev.stillframe.state.StateSnapshot;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a session's state holds after one message: several keys that have to agree with each other.
 *
 * @param number how many messages there were
 * @param role who the latest is from
 * @param text its text
 * @param messages how many there were from each role
 * @param toolCalls how many tool calls the assistant has asked for
 * @param openCalls how many of them have no result yet
 * @param lastTool the tool asked for most recently
 * @param checksum the sum of the checksums of all texts
 */
record Step(
    int number,
    @Nullable Role role,
    @Nullable String text,
    Map<Role, Integer> messages,
    int toolCalls,
    int openCalls,
    @Nullable String lastTool,
    long checksum) {

  static final String OPEN_CALL_PREFIX = "call.";
  static final StateKey<Integer> NUMBER = StateKey.of("step", Integer.class);
  static final StateKey<Integer> TOOL_CALLS = StateKey.of("toolCalls", Integer.class);
  private static final StateKey<String> ROLE = StateKey.of("role", String.class);
  private static final StateKey<String> TEXT = StateKey.of("text", String.class);
  private static final StateKey<Integer> OPEN_CALLS = StateKey.of("openCalls", Integer.class);
  private static final StateKey<String> LAST_TOOL = StateKey.of("lastTool", String.class);
  private static final StateKey<Long> CHECKSUM = StateKey.of("checksum", Long.class);
  private static final StateKey<Integer> SEAL = StateKey.of("seal", Integer.class);

  /** The keys that every step writes. */
  static final List<String> KEYS =
      Stream.concat(
              Stream.of(NUMBER, ROLE, TOOL_CALLS, OPEN_CALLS, CHECKSUM, SEAL).map(StateKey::name),
              Stream.of(Role.values()).map(Role::counterKey))
          .toList();

  /** The state before the first message, which is empty. */
  static final Step NONE = new Step(0, null, null, Map.of(), 0, 0, null, 0);

  Step {
    messages = counted(messages, null);
  }

  private static Map<Role, Integer> counted(Map<Role, Integer> before, @Nullable Role oneMore) {
    Map<Role, Integer> counts = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      counts.put(role, before.getOrDefault(role, 0) + (role == oneMore ? 1 : 0));
    }
    return Collections.unmodifiableMap(counts);
  }

  Step after(Message message, int toolCallsNow, int openCallsNow) {
    List<ToolCall> calls = message.toolCalls();
    return new Step(
        number + 1,
        message.role(),
        message.text(),
        counted(messages, message.role()),
        toolCallsNow,
        openCallsNow,
        calls.isEmpty() ? lastTool : calls.get(calls.size() - 1).name(),
        checksum + message.checksum());
  }

  /** Returns the change that writes this step, to be applied as a whole. */
  StateDelta delta() {
    StateDelta.Builder delta =
        StateDelta.builder()
            .set(NUMBER, number)
            .set(TOOL_CALLS, toolCalls)
            .set(OPEN_CALLS, openCalls)
            .set(CHECKSUM, checksum)
            .set(SEAL, seal());
    messages.forEach((role, count) -> delta.set(role.counterKey(), count));
    setOrRemove(delta, ROLE, role == null ? null : role.text());
    setOrRemove(delta, TEXT, text);
    setOrRemove(delta, LAST_TOOL, lastTool);
    return delta.build();
  }

  private static <T> void setOrRemove(
      StateDelta.Builder delta, StateKey<T> key, @Nullable T value) {
    if (value == null) {
      delta.remove(key.name());
    } else {
      delta.set(key, value);
    }
  }

  static boolean isIn(StateSnapshot snapshot) {
    return KEYS.stream().anyMatch(key -> snapshot.get(key) != null);
  }

  /** Reads back what {@link #delta} wrote, or returns {@link #NONE} before the first step. */
  static Step readFrom(StateSnapshot snapshot) {
    if (!isIn(snapshot)) {
      return NONE;
    }
    Map<Role, Integer> messages = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      messages.put(role, read(snapshot, StateKey.of(role.counterKey(), Integer.class)));
    }
    return new Step(
        read(snapshot, NUMBER),
        Role.named(read(snapshot, ROLE)),
        snapshot.get(TEXT),
        messages,
        read(snapshot, TOOL_CALLS),
        read(snapshot, OPEN_CALLS),
        snapshot.get(LAST_TOOL),
        read(snapshot, CHECKSUM));
  }

  static int sealIn(StateSnapshot snapshot) {
    return read(snapshot, SEAL);
  }

  private static <T> T read(StateSnapshot snapshot, StateKey<T> key) {
    return Objects.requireNonNull(snapshot.get(key), key.name());
  }

  /** Returns a number over all of this step, which a mixture of two steps does not have. */
  int seal() {
    return hashCode();
  }

  /** Returns this as a part of the totals: what one conversation adds to them. */
  Totals totals() {
    return new Totals(
        1, Totals.byRole(role -> messages.getOrDefault(role, 0)), toolCalls, checksum);
  }

  int messageSum() {
    return messages.values().stream().mapToInt(Integer::intValue).sum();
  }
}
