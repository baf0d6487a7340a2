package dev.stillframe.session;

import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Works out what a rewind has to restore. */
final class Rewind {
  private final List<String> undone = new ArrayList<>();
  private final StateDelta.Builder restored = StateDelta.builder();
  private long bytes;

  /**
   * Works it out.
   *
   * @param history the events as they are
   * @param target the event that is to be the last
   * @param initial what the session was created with
   * @param now what its state shows
   */
  Rewind(History history, EventNode target, StateDelta initial, StateSnapshot now) {
    Set<String> own = new HashSet<>();
    Map<String, @Nullable Object> shared = new HashMap<>();
    Set<String> theirs = new HashSet<>();
    for (EventNode n = history.last(); n != null && n != target; n = n.previous) {
      undone.add(n.event.id());
      bytes += n.bytes;
      Map<String, @Nullable Object> before = n.sharedBefore().asMap();
      n.event
          .delta()
          .asMap()
          .forEach(
              (key, value) -> {
                if (Scopes.isOwn(key)) {
                  own.add(key);
                  return;
                }
                boolean newest = !shared.containsKey(key);
                if (newest && !isStill(now.get(key), value)) {
                  theirs.add(key);
                }
                shared.put(key, before.get(key)); // in the end, that of the first event
              });
    }
    restoreOwn(own, target, initial);
    shared.keySet().removeAll(theirs);
    shared.forEach((key, value) -> Scopes.put(restored, key, value));
  }

  /**
   * Tells whether a key still has the value that an event gave it, and not one like it. It runs no
   * code of a user, since the session is locked.
   */
  private static boolean isStill(@Nullable Object now, @Nullable Object given) {
    if (now == given) {
      return true; // values are copied once, as the event is made
    }
    if (now instanceof Object[] some && given instanceof Object[] others) {
      boolean same = some.length == others.length; // but arrays are copied on each way out
      for (int i = 0; same && i < some.length; i++) {
        same = isStill(some[i], others[i]);
      }
      return same;
    }
    return now != null
        && now.getClass().getClassLoader() == null // the JDK's
        && (now instanceof Comparable || now.getClass().isArray())
        && Objects.deepEquals(now, given);
  }

  /** Takes each key from the last event that mentions it. */
  private void restoreOwn(Set<String> keys, EventNode target, StateDelta initial) {
    for (EventNode n = target; n != null && !keys.isEmpty(); n = n.previous) {
      take(keys, n.event.delta());
    }
    take(keys, initial);
    keys.forEach(restored::remove);
  }

  private void take(Set<String> keys, StateDelta delta) {
    delta
        .asMap()
        .forEach(
            (key, value) -> {
              if (keys.remove(key)) {
                Scopes.put(restored, key, value);
              }
            });
  }

  /** Returns the ids of the events that are taken back. */
  List<String> undone() {
    return undone;
  }

  StateDelta restored() {
    return restored.build();
  }

  long bytes() {
    return bytes;
  }
}
