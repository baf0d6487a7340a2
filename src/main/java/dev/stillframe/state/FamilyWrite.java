package dev.stillframe.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes to several states of a family, each with the member that holds its key. */
final class FamilyWrite {
  private final List<MemberEdit> edits;
  private final FamilyMembers members;

  /**
   * Looks up where the keys are, and refuses what must not be changed.
   *
   * @param since if not null, keys that were written since are not changed, nor is any other
   * @throws IllegalArgumentException see {@link StateFamily#apply}
   */
  FamilyWrite(
      StateFamily family,
      Map<SessionState, StateDelta> deltas,
      @Nullable Map<SessionState, StateSnapshot> since) {
    int size = 0;
    for (StateDelta delta : deltas.values()) {
      size += delta.stored().size();
    }
    edits = new ArrayList<>(size);
    for (Map.Entry<SessionState, StateDelta> change : deltas.entrySet()) {
      SessionState state = change.getKey();
      StateSnapshot snapshot = since == null ? null : since.get(state);
      if (since != null && snapshot == null) {
        throw new IllegalArgumentException(
            "There must be a snapshot of every state that is changed; it is missing for "
                + change.getValue());
      }
      for (Map.Entry<String, @Nullable Object> entry : change.getValue().stored().entrySet()) {
        String key = entry.getKey();
        Edit edit = edit(key, entry.getValue(), snapshot);
        edits.add(new MemberEdit(state, family.scopeOf(state, key), edit));
      }
    }
    edits.sort(null);
    members = new FamilyMembers(family.epochs(), distinctMembers());
  }

  private static Edit edit(String key, @Nullable Object value, @Nullable StateSnapshot since) {
    return since == null ? Edit.always(key, value) : Edit.ifStill(since.stored(key), key, value);
  }

  @SuppressWarnings("ReferenceEquality") // which state it is, not what it holds
  private ConcurrentSessionState[] distinctMembers() {
    List<ConcurrentSessionState> distinct = new ArrayList<>(edits.size());
    MemberEdit before = null;
    for (MemberEdit edit : edits) {
      if (before == null || before.member() != edit.member()) {
        distinct.add(edit.member());
      } else if (before.edit().key().equals(edit.edit().key())) {
        throw new IllegalArgumentException(
            "A state key must be changed once at an instant; '"
                + edit.edit().key()
                + "' is changed twice");
      }
      before = edit;
    }
    return distinct.toArray(ConcurrentSessionState[]::new);
  }

  /** Makes the changes; returns false if a key was written since. */
  boolean commit() {
    return edits.isEmpty() || members.commit(edits, null, null);
  }

  /** Makes the changes and returns what takes them back. */
  Map<SessionState, StateDelta> exchange() {
    @Nullable Object[] replaced = new @Nullable Object[edits.size()];
    if (!edits.isEmpty()) {
      members.commit(edits, null, replaced);
    }
    Map<SessionState, Map<String, @Nullable Object>> back = new LinkedHashMap<>();
    for (int i = 0; i < replaced.length; i++) {
      MemberEdit edit = edits.get(i);
      back.computeIfAbsent(edit.state(), state -> new LinkedHashMap<>())
          .put(edit.edit().key(), replaced[i]);
    }
    Map<SessionState, StateDelta> inverse = new LinkedHashMap<>();
    for (Map.Entry<SessionState, Map<String, @Nullable Object>> entry : back.entrySet()) {
      inverse.put(entry.getKey(), new StateDelta(entry.getValue()));
    }
    return inverse;
  }
}
