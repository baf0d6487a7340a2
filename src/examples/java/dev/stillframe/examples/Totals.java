package dev.stillframe.examples;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What a set of conversations adds up to.
 *
 * @param checksum the sum of the checksums of all message texts
 */
record Totals(long conversations, Map<Role, Long> messages, long toolCalls, long checksum) {
  static final Totals NONE = new Totals(0, Map.of(), 0, 0);

  Totals {
    Map<Role, Long> given = messages;
    messages = byRole(role -> given.getOrDefault(role, 0L));
  }

  static Map<Role, Long> byRole(ToLongFunction<Role> number) {
    Map<Role, Long> numbers = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      numbers.put(role, number.applyAsLong(role));
    }
    return Collections.unmodifiableMap(numbers);
  }

  Totals plus(Totals other) {
    return new Totals(
        conversations + other.conversations,
        byRole(role -> messages(role) + other.messages(role)),
        toolCalls + other.toolCalls,
        checksum + other.checksum);
  }

  Totals times(int rounds) {
    return new Totals(
        conversations * rounds,
        byRole(role -> messages(role) * rounds),
        toolCalls * rounds,
        checksum * rounds);
  }

  long messages(Role role) {
    return messages.getOrDefault(role, 0L);
  }

  long messageCount() {
    return messages.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the numbers that make up totals, in the order to print them. */
  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row("conversations", Totals::conversations));
    rows.add(new Row("messages", Totals::messageCount));
    for (Role role : Role.values()) {
      rows.add(new Row("  " + role.text(), totals -> totals.messages(role)));
    }
    rows.add(new Row("tool calls", Totals::toolCalls));
    rows.add(new Row("text checksum", Totals::checksum));
    return rows;
  }

  /** One of the numbers, with what it is called. */
  record Row(String name, ToLongFunction<Totals> number) {

    long of(Totals totals) {
      return number.applyAsLong(totals);
    }
  }
}
