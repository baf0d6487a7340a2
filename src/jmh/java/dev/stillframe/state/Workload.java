package dev.stillframe.state;

import java.util.Random;

/**
 * The keys and values of the benchmarks. Keys are interned, as the constants of an app are; values
 * exist beforehand, so that making them does not count.
 */
final class Workload {
  private static final String[] SCOPES = {"", "user:", "app:", "temp:"};
  private static final String[] SUBJECTS = {
    "flight_search", "booking", "passenger", "preferred_airline", "tool_result", "plan_step"
  };

  private Workload() {}

  static String[] keys(int count) {
    String[] keys = new String[count];
    for (int i = 0; i < count; i++) {
      String key = SCOPES[i % SCOPES.length] + SUBJECTS[i % SUBJECTS.length] + "_" + i;
      keys[i] = key.intern();
    }
    return keys;
  }

  /** Returns texts, numbers and flags in random order. */
  static Object[] values(int count, Random random) {
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (random.nextInt(5)) {
            case 0 -> 1_000 + i;
            case 1 -> i / 7.0;
            case 2 -> i % 2 == 0;
            default -> "offer " + i + " of " + count;
          };
    }
    return values;
  }

  static StateContender filled(Contender contender, int count) {
    StateContender state = contender.create();
    String[] keys = keys(count);
    Object[] values = values(count, new Random(1));
    for (int i = 0; i < count; i++) {
      state.set(keys[i], values[i]);
    }
    return state;
  }
}
