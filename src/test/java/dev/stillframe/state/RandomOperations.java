package dev.stillframe.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Operations drawn at random, each made both on a state and on an ordinary map, with what the two
 * returned.
 */
final class RandomOperations {
  private static final List<Object> VALUES =
      List.of(0, 1, 2, "", "x", true, List.of(1, 2), Map.of("k", List.of()), 0.5);

  private final Random random;

  RandomOperations(Random random) {
    this.random = random;
  }

  record Outcome(String operation, Object ofState, Object ofModel) {}

  String key() {
    return "k" + random.nextInt(12);
  }

  Object value() {
    Object value = VALUES.get(random.nextInt(VALUES.size()));
    return value instanceof List<?> list ? new ArrayList<>(list) : value;
  }

  StateDelta delta(int changes) {
    StateDelta.Builder delta = StateDelta.builder();
    for (int i = 0; i < changes; i++) {
      if (random.nextInt(3) == 0) {
        delta.remove(key());
      } else {
        delta.set(key(), value());
      }
    }
    return delta.build();
  }

  static void applyTo(Map<String, Object> model, StateDelta delta) {
    delta
        .asMap()
        .forEach(
            (key, value) -> {
              if (value == null) {
                model.remove(key);
              } else {
                model.put(key, value);
              }
            });
  }

  Outcome next(SessionState state, TreeMap<String, Object> model) {
    String key = key();
    Object value = value();
    Object other = value();
    return switch (random.nextInt(22)) {
      case 0, 1, 2 -> outcome("set", state.set(key, value), model.put(key, value));
      case 3 ->
          outcome("setIfAbsent", state.setIfAbsent(key, value), model.putIfAbsent(key, value));
      case 4, 5 -> outcome("remove", state.remove(key), model.remove(key));
      case 6 -> outcome("remove if", state.remove(key, value), model.remove(key, value));
      case 7 ->
          outcome("replace", state.replace(key, other, value), model.replace(key, other, value));
      case 8, 9 -> {
        BiFunction<String, Object, Object> change =
            (k, old) -> old == null ? value : old.equals(other) ? null : List.of(k, value);
        yield outcome(
            "update", state.update(key, old -> change.apply(key, old)), model.compute(key, change));
      }
      case 10 ->
          outcome(
              "computeIfAbsent",
              state.computeIfAbsent(key, k -> k.length() == 2 ? value : null),
              model.computeIfAbsent(key, k -> k.length() == 2 ? value : null));
      case 11, 12 -> {
        StateDelta delta = delta(random.nextInt(8));
        state.apply(delta);
        applyTo(model, delta);
        yield outcome("apply " + delta, null, null);
      }
      case 13 -> {
        if (random.nextInt(10) == 0) {
          state.clear();
          model.clear();
        }
        yield outcome("clear", state.size(), model.size());
      }
      case 14 ->
          outcome(
              "merge",
              state.asMap().merge(key, value, (old, v) -> old.equals(v) ? null : List.of(v)),
              model.merge(key, value, (old, v) -> old.equals(v) ? null : List.of(v)));
      case 15 ->
          outcome(
              "removeIf",
              state.asMap().values().removeIf(v -> v.equals(value)),
              model.values().removeIf(v -> v.equals(value)));
      case 16 -> {
        state.asMap().putAll(Map.of(key, value, "extra", other));
        model.putAll(Map.of(key, value, "extra", other));
        yield outcome("putAll", null, null);
      }
      case 17 -> {
        StateDraft draft = state.draft();
        TreeMap<String, Object> branch = new TreeMap<>(model);
        Outcome inside = next(draft, branch);
        if (random.nextBoolean()) {
          draft.commit();
          model.clear();
          model.putAll(branch);
        }
        yield outcome("draft of " + inside.operation, inside.ofState, inside.ofModel);
      }
      case 18 -> outcome("get", state.get(key), model.get(key));
      case 19 -> outcome("keys", state.keys(), model.keySet());
      case 20 ->
          outcome("getOrDefault", state.getOrDefault(key, value), model.getOrDefault(key, value));
      default -> outcome("all", state.all().asMap(), model);
    };
  }

  private static Outcome outcome(String operation, Object ofState, Object ofModel) {
    return new Outcome(operation, ofState, ofModel);
  }
}
