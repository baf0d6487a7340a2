package dev.stillframe.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One state over the keys of several, each key in the one that the router names. What concerns one
 * key is left to the state that holds it; what concerns several is left to {@link FamilyMembers}.
 */
final class ScopedState extends AbstractSessionState {
  private final ScopeRouter router;
  private final FamilyMembers members;
  private final Runnable guard;

  /**
   * The last snapshot. Threads may overwrite each other's, newer with older, too: an old one is not
   * found in place any more, and costs another copy.
   */
  private volatile @Nullable Whole last;

  /** A snapshot, and the parts of which it was made. */
  private static final class Whole {
    private final StateSnapshot[] parts;
    private final StateSnapshot snapshot;

    Whole(StateSnapshot[] parts, StateSnapshot snapshot) {
      this.parts = parts;
      this.snapshot = snapshot;
    }
  }

  ScopedState(ScopeRouter router, FamilyMembers members, Runnable guard) {
    super(/* byReference= */ false);
    this.router = router;
    this.members = members;
    this.guard = guard;
  }

  FamilyMembers members() {
    return members;
  }

  ConcurrentSessionState scopeOf(String key) {
    return router.scopeOf(Objects.requireNonNull(key, "key"));
  }

  @Override
  AbstractSessionState holderOf(String key) {
    return scopeOf(key);
  }

  @Override
  @Nullable Object stored(String key) {
    guard.run();
    return scopeOf(key).stored(key);
  }

  @Override
  public @Nullable Object set(String key, Object value) {
    guard.run();
    return scopeOf(key).set(key, value);
  }

  @Override
  boolean compareAndSet(String key, @Nullable Object expected, @Nullable Object value) {
    guard.run();
    return scopeOf(key).compareAndSet(key, expected, value);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // which snapshot it is, not what it holds
  boolean commit(List<Edit> edits, @Nullable StateSnapshot whole) {
    guard.run();
    edits.forEach(edit -> scopeOf(edit.key()).writing(edit.key()));
    List<MemberEdit> placed = place(edits);
    if (whole != null) {
      Whole known = last;
      return known != null
          && known.snapshot == whole
          && members.commit(placed, () -> known.parts, null);
    }
    if (placed.isEmpty()) {
      return true;
    }
    ConcurrentSessionState first = placed.get(0).member();
    boolean inOne = placed.get(placed.size() - 1).member() == first;
    return inOne ? first.commit(edits, null) : members.commit(placed, null, null);
  }

  /** Says for each edit in which member it is to be made, and puts them in order. */
  private List<MemberEdit> place(List<Edit> edits) {
    List<MemberEdit> placed = new ArrayList<>(edits.size());
    for (Edit edit : edits) {
      placed.add(new MemberEdit(this, scopeOf(edit.key()), edit));
    }
    placed.sort(null);
    return placed;
  }

  /**
   * First holds all keys, so that their writers wait, and then makes sure that no other key has
   * come. So what makes it start over is only somebody who adds keys at that very moment.
   */
  @Override
  public void clear() {
    for (; ; ) {
      StateSnapshot shown = snapshot();
      if (shown.size() == 0) {
        return;
      }
      List<Edit> removals = new ArrayList<>(shown.size());
      shown.storedMap().keySet().forEach(key -> removals.add(Edit.always(key, null)));
      WholeCondition noOther =
          () -> {
            StateSnapshot[] parts = members.snapshots();
            return shown.storedMap().keySet().containsAll(merge(parts).storedMap().keySet())
                ? parts
                : null;
          };
      if (members.commit(place(removals), noOther, null)) {
        return;
      }
    }
  }

  @Override
  StateSnapshot snapshot() {
    guard.run();
    Whole known = last;
    if (known != null && members.areStill(known.parts)) {
      return known.snapshot;
    }
    return shown(members.snapshots());
  }

  /** Returns what this state shows of snapshots of its members, taken at one instant. */
  StateSnapshot shown(StateSnapshot[] parts) {
    StateSnapshot snapshot = merge(parts);
    last = new Whole(parts, snapshot);
    return snapshot;
  }

  /** The highest version of a part: the snapshot that was announced last tells the whole. */
  private StateSnapshot merge(StateSnapshot[] parts) {
    int size = 0;
    long version = 0;
    for (StateSnapshot part : parts) {
      size += part.size();
      version = Math.max(version, part.version());
    }
    Map<String, Object> whole = new HashMap<>((int) (size / 0.75f) + 1);
    for (int i = 0; i < parts.length; i++) {
      ConcurrentSessionState member = members.get(i);
      parts[i]
          .storedMap()
          .forEach(
              (key, value) -> {
                if (isShown(key, member)) {
                  whole.put(key, value);
                }
              });
    }
    return new StateSnapshot(whole, version);
  }

  /** Leaves out what a member was given directly, under a key that leads elsewhere here. */
  @SuppressWarnings("ReferenceEquality") // which state it is, not what it holds
  private boolean isShown(String key, ConcurrentSessionState member) {
    try {
      return router.scopeOf(key) == member;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
