package dev.stillframe.state;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several states of one family, looked at and written at one instant.
 *
 * <p><b>A snapshot of all of them</b> is announced once, on the clock that they share, and then
 * takes its part from each index. That is right for the reason given at {@link CellIndex}: it
 * speaks of the order of announcements and writes alone, not of where the cells are. Each index
 * must be the current one at the instant of the announcement, so it is looked up before and checked
 * after. An index in which nothing was written since an earlier snapshot is not walked: its kept
 * part was taken before the announcement (its version is lower) and is found in place after it.
 *
 * <p><b>Nothing has changed</b> since parts that were taken earlier if each is still found in
 * place. They may be looked at one after the other: a part that is found in place at its turn has
 * not been outdated before that, so at the instant of the first look none of them was.
 */
final class FamilyMembers {
  private final SnapshotEpochs epochs;

  /** In the order of their indexes, each once. */
  private final ConcurrentSessionState[] members;

  /** Takes over the members, which are in order. */
  FamilyMembers(SnapshotEpochs epochs, ConcurrentSessionState[] members) {
    this.epochs = epochs;
    this.members = members;
  }

  /** Takes over the members and puts them in order. */
  static FamilyMembers of(SnapshotEpochs epochs, ConcurrentSessionState[] members) {
    Arrays.sort(members, Comparator.comparingInt(member -> member.index().order));
    return new FamilyMembers(epochs, members);
  }

  SnapshotEpochs epochs() {
    return epochs;
  }

  List<ConcurrentSessionState> list() {
    return Arrays.asList(members);
  }

  ConcurrentSessionState get(int place) {
    return members[place];
  }

  /** Tells whether nothing was written since these snapshots, at one instant during this call. */
  @SuppressWarnings("ReferenceEquality") // which snapshot it is, not what it holds
  boolean areStill(StateSnapshot[] parts) {
    for (int i = 0; i < members.length; i++) {
      if (members[i].index().still() != parts[i]) {
        return false;
      }
    }
    return true;
  }

  /** Takes a snapshot of each member, all at one instant during this call. */
  StateSnapshot[] snapshots() {
    for (; ; ) {
      CellIndex[] indexes = openIndexes();
      StateSnapshot[] kept = kept(indexes);
      if (kept != null && areStill(kept)) {
        return kept;
      }
      StateSnapshot[] taken = take(indexes);
      if (taken != null) {
        for (int i = 0; i < members.length; i++) {
          members[i].shrinkIfSparse(indexes[i], taken[i]);
        }
        return taken;
      }
    }
  }

  private CellIndex[] openIndexes() {
    CellIndex[] indexes = new CellIndex[members.length];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = members[i].openIndex();
    }
    return indexes;
  }

  private static StateSnapshot @Nullable [] kept(CellIndex[] indexes) {
    StateSnapshot[] kept = new StateSnapshot[indexes.length];
    for (int i = 0; i < indexes.length; i++) {
      if (!(indexes[i].still() instanceof StateSnapshot part)) {
        return null;
      }
      kept[i] = part;
    }
    return kept;
  }

  /** Returns null if an index was closed meanwhile. */
  private StateSnapshot @Nullable [] take(CellIndex[] indexes) {
    @Nullable StateSnapshot[] reusable = new StateSnapshot[indexes.length];
    StateSnapshot[] parts = new StateSnapshot[indexes.length];
    SnapshotEpochs.Announcement announcement = epochs.announce();
    for (CellIndex index : indexes) {
      index.announceStill(announcement);
    }
    try {
      if (!areCurrent(indexes)) {
        return null; // what was written to a successor before our epoch would be missing
      }
      for (int i = 0; i < indexes.length; i++) {
        if (indexes[i].still() instanceof StateSnapshot part
            && part.version() < announcement.epoch) {
          parts[i] = part;
          continue;
        }
        SnapshotWalk walk = new SnapshotWalk(indexes[i], announcement.epoch);
        StateSnapshot part = walk.take();
        if (part == null) {
          return null;
        }
        parts[i] = part;
        reusable[i] = walk.isOutdated() ? null : part;
      }
      return parts;
    } finally {
      for (int i = 0; i < indexes.length; i++) {
        indexes[i].compareAndSetStill(announcement, reusable[i]);
      }
      epochs.end(announcement);
    }
  }

  @SuppressWarnings("ReferenceEquality") // which index it is, not what it holds
  private boolean areCurrent(CellIndex[] indexes) {
    for (int i = 0; i < indexes.length; i++) {
      if (members[i].index() != indexes[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Makes edits at one instant, or none of them.
   *
   * @param edits in order, each key of a member once
   * @param whole see {@link CommitWriter}
   * @param replaced see {@link CommitWriter}
   * @return false if an edit found another value than it expects, or if {@code whole} did not hold
   */
  boolean commit(
      List<MemberEdit> edits,
      @Nullable WholeCondition whole,
      @Nullable Object @Nullable [] replaced) {
    for (; ; ) {
      CellIndex[] indexes = openIndexes();
      switch (CommitWriter.write(members, indexes, edits, whole, replaced)) {
        case DONE -> {
          for (int i = 0; i < indexes.length; i++) {
            members[i].shrinkIfDue(indexes[i]);
          }
          return true;
        }
        case REFUSED -> {
          return false;
        }
        case INDEX_CLOSED -> {}
      }
    }
  }
}
