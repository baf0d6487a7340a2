package dev.stillframe.state;

import dev.stillframe.state.Cell.Pending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes several keys at one instant: puts a Pending on each, in the order of the indexes and then
 * of the keys, so that two commits never wait for each other, and then installs their {@link
 * Commit}.
 */
final class CommitWriter {
  enum Outcome {
    DONE,
    /** A key had not the expected value, or something was written since the snapshot. */
    REFUSED,
    /** Nothing was done, since an index is closed. */
    INDEX_CLOSED
  }

  private record Placed(
      CellIndex index, String key, Cell cell, Pending pending, @Nullable Placed before) {}

  private final Commit commit;

  /** What was put in place last; it knows what was before it. */
  private @Nullable Placed last;

  private CommitWriter(Commit commit) {
    this.commit = commit;
  }

  /**
   * Makes edits in one index.
   *
   * @param whole if not null, the edits are made only if nothing was written since this snapshot
   */
  static Outcome write(CellIndex index, List<Edit> edits, @Nullable StateSnapshot whole) {
    CommitWriter writer = new CommitWriter(new Commit());
    try {
      for (Edit edit : edits) {
        Outcome outcome = writer.place(index, edit);
        if (outcome != Outcome.DONE) {
          return outcome;
        }
      }
      // Passing from the snapshot to the commit is the instant for one that depends on all keys: a
      // write that was put in place since has dropped the snapshot, and a later one installs us
      // first.
      Commit commit = writer.commit;
      if (whole != null ? !index.compareAndSetStill(whole, commit) : !commit.install()) {
        return Outcome.REFUSED;
      }
      return writer.takeEffect(index);
    } finally {
      writer.end();
    }
  }

  /**
   * Makes edits in several indexes of one clock.
   *
   * @param members the states, in the order of their indexes
   * @param indexes theirs
   * @param edits in order
   * @param whole if not null, asked once everything is in place; the edits are made only if nothing
   *     was written to any index since these snapshots, and not if it returns null
   * @param replaced if not null, gets for each edit the stored value that it replaced
   */
  @SuppressWarnings("ReferenceEquality") // which state it is, not what it holds
  static Outcome write(
      ConcurrentSessionState[] members,
      CellIndex[] indexes,
      List<MemberEdit> edits,
      @Nullable WholeCondition whole,
      @Nullable Object @Nullable [] replaced) {
    CommitWriter writer = new CommitWriter(new Commit(indexes));
    try {
      int place = 0;
      for (MemberEdit edit : edits) {
        while (members[place] != edit.member()) {
          place++;
        }
        Outcome outcome = writer.place(indexes[place], edit.edit());
        if (outcome != Outcome.DONE) {
          return outcome;
        }
      }
      Commit commit = writer.commit;
      if (whole != null) {
        StateSnapshot[] unchanged = whole.snapshots();
        if (unchanged == null) {
          return Outcome.REFUSED;
        }
        commit.follow(unchanged);
      }
      commit.pass();
      if (whole != null && commit.isAborted()) {
        return Outcome.REFUSED;
      }
      if (replaced != null) {
        int i = replaced.length;
        for (Placed p = writer.last; p != null; p = p.before) {
          replaced[--i] = Cell.valueOf(p.pending.older);
        }
      }
      return writer.takeEffect(indexes[0]);
    } finally {
      writer.end();
      if (whole != null) {
        for (CellIndex index : indexes) {
          index.compareAndSetStill(writer.commit, null);
        }
      }
    }
  }

  private Outcome takeEffect(CellIndex index) {
    if (!index.decide(commit)) {
      commit.abort(); // unless somebody who had not seen the closing was first
    }
    return commit.isAborted() ? Outcome.INDEX_CLOSED : Outcome.DONE;
  }

  private void end() {
    commit.abort(); // no effect on one that has taken effect
    for (Placed p = last; p != null; p = p.before) {
      p.index.finish(p.key, p.cell, p.pending);
    }
  }

  private Outcome place(CellIndex index, Edit edit) {
    String key = edit.key();
    for (; ; ) {
      Cell cell = index.get(key);
      Object head = cell == null ? null : index.settledHead(key, cell);
      if (cell != null && head == null) {
        if (index.isClosed()) {
          return Outcome.INDEX_CLOSED;
        }
        continue;
      }
      if (edit.conditional() && Cell.valueOf(head) != edit.expected()) {
        return Outcome.REFUSED;
      }
      Pending pending = new Pending(edit.value(), head, commit);
      if (cell == null || head == null) {
        cell = new Cell(pending);
        if (!index.place(key, cell)) {
          continue;
        }
      } else if (!cell.compareAndSet(head, pending)) {
        continue;
      }
      last = new Placed(index, key, cell, pending, last);
      return Outcome.DONE;
    }
  }
}
