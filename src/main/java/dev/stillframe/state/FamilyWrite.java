package dev.stillframe.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes to several states of a family, each with the member that holds its key. */
final class FamilyWrite {

  /** One key that is changed, for one state; ordered as they are put in place. */
  private record Change(
      SessionState state, ConcurrentSessionState member, String key, @Nullable Object value)
      implements Comparable<Change> {
    @Override
    public int compareTo(Change other) {
      return member == other.member
          ? key.compareTo(other.key)
          : Integer.compare(member.index().order, other.member.index().order);
    }
  }

  /** In the order in which they are put in place. */
  private final List<Change> changes = new ArrayList<>();

  private final FamilyMembers members;

  /**
   * Looks up where the keys are, and refuses what must not be changed.
   *
   * @throws IllegalArgumentException see {@link StateFamily#apply}
   */
  @SuppressWarnings("ReferenceEquality") // which state it is, not what it holds
  FamilyWrite(StateFamily family, Map<SessionState, StateDelta> deltas) {
    deltas.forEach(
        (state, delta) ->
            delta
                .stored()
                .forEach(
                    (key, value) ->
                        changes.add(new Change(state, family.scopeOf(state, key), key, value))));
    changes.sort(null);
    List<ConcurrentSessionState> distinct = new ArrayList<>();
    Change before = null;
    for (Change change : changes) {
      if (before == null || before.member != change.member) {
        distinct.add(change.member);
      } else if (before.key.equals(change.key)) {
        throw new IllegalArgumentException(
            "A state key must be changed once at an instant; '"
                + change.key
                + "' is changed twice");
      }
      before = change;
    }
    members = new FamilyMembers(family.epochs(), distinct.toArray(ConcurrentSessionState[]::new));
  }

  /**
   * Makes the changes.
   *
   * @param since if not null, they are made only if no key was written since
   */
  boolean commit(@Nullable Map<SessionState, StateSnapshot> since) {
    return changes.isEmpty() || members.commit(edits(since), null, null);
  }

  /** Makes the changes and returns what takes them back. */
  Map<SessionState, StateDelta> exchange() {
    @Nullable Object[] replaced = new @Nullable Object[changes.size()];
    if (!changes.isEmpty()) {
      members.commit(edits(null), null, replaced);
    }
    Map<SessionState, Map<String, @Nullable Object>> back = new LinkedHashMap<>();
    for (int i = 0; i < replaced.length; i++) {
      Change change = changes.get(i);
      back.computeIfAbsent(change.state, state -> new LinkedHashMap<>())
          .put(change.key, replaced[i]);
    }
    Map<SessionState, StateDelta> inverse = new LinkedHashMap<>();
    back.forEach((state, values) -> inverse.put(state, new StateDelta(values)));
    return inverse;
  }

  private List<FamilyEdit> edits(@Nullable Map<SessionState, StateSnapshot> since) {
    List<FamilyEdit> edits = new ArrayList<>(changes.size());
    for (Change change : changes) {
      edits.add(new FamilyEdit(members.placeOf(change.member), edit(change, since)));
    }
    return edits;
  }

  private static Edit edit(Change change, @Nullable Map<SessionState, StateSnapshot> since) {
    if (since == null) {
      return Edit.always(change.key, change.value);
    }
    StateSnapshot snapshot = since.get(change.state);
    if (snapshot == null) {
      throw new IllegalArgumentException(
          "There must be a snapshot of every state that is changed; it is missing for key '"
              + change.key
              + "'");
    }
    return Edit.ifStill(snapshot.stored(change.key), change.key, change.value);
  }
}
