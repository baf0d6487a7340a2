package dev.stillframe.session.store;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a rewind has to restore, in texts. */
final class RewindPlan {
  /** The values of own keys as of the target; null where the key was absent. */
  final Map<String, @Nullable String> own = new LinkedHashMap<>();

  /** What is to be done about shared keys. */
  final Map<String, Restore> shared = new LinkedHashMap<>();

  /**
   * A shared key gets back the value that it had before the first undone event that touched it, if
   * it still has the one that the last of them gave it.
   */
  record Restore(@Nullable String ifStill, @Nullable String value) {
    boolean appliesTo(@Nullable String now) {
      return Objects.equals(now, ifStill);
    }
  }

  /** What an event changed, and what the shared keys among them held before; null: absent. */
  record Change(Map<String, @Nullable String> delta, Map<String, @Nullable String> sharedBefore) {}

  /**
   * Works it out.
   *
   * @param kept the initial state, and the deltas of the events that stay, the first one first
   * @param undone the events that do not, the first one first
   */
  RewindPlan(List<Map<String, @Nullable String>> kept, List<Change> undone) {
    Set<String> touched = new LinkedHashSet<>();
    Map<String, @Nullable String> first = new HashMap<>();
    Map<String, @Nullable String> last = new LinkedHashMap<>();
    for (Change change : undone) {
      change.delta.forEach(
          (key, value) -> {
            if (Scope.of(key) == Scope.OWN) {
              touched.add(key);
              return;
            }
            if (!last.containsKey(key)) {
              first.put(key, change.sharedBefore.get(key));
            }
            last.put(key, value);
          });
    }
    last.forEach((key, value) -> shared.put(key, new Restore(value, first.get(key))));
    touched.forEach(key -> own.put(key, null));
    for (Map<String, @Nullable String> delta : kept) {
      delta.forEach(own::replace);
    }
  }
}
