package dev.stillframe.state;

import dev.stillframe.state.Cell.Pending;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes several keys at one instant: puts a Pending on each, in key order, so that two commits
 * never wait for each other, and then installs their {@link Commit}.
 */
final class CommitWriter {
  enum Outcome {
    DONE,
    /** A key had not the expected value, or something was written since the snapshot. */
    REFUSED,
    /** Nothing was done, since the index is closed. */
    INDEX_CLOSED
  }

  private record Placed(String key, Cell cell, Pending pending) {}

  private final CellIndex index;
  private final List<Edit> edits;
  private final List<Placed> placed;
  private final Commit commit = new Commit();

  CommitWriter(CellIndex index, List<Edit> edits) {
    this.index = index;
    this.edits = edits;
    placed = new ArrayList<>(edits.size());
  }

  /**
   * Makes the edits.
   *
   * @param whole if not null, the edits are made only if nothing was written since this snapshot
   */
  Outcome write(@Nullable StateSnapshot whole) {
    try {
      for (Edit edit : edits) {
        Outcome outcome = place(edit);
        if (outcome != Outcome.DONE) {
          return outcome;
        }
      }
      // Passing from the snapshot to the commit is the instant for one that depends on all keys: a
      // write that was put in place since has dropped the snapshot, and a later one installs us
      // first.
      if (whole != null ? !index.compareAndSetStill(whole, commit) : !commit.install()) {
        return Outcome.REFUSED;
      }
      if (!index.decide(commit)) {
        commit.abort(); // unless somebody who had not seen the closing was first
      }
      return commit.isAborted() ? Outcome.INDEX_CLOSED : Outcome.DONE;
    } finally {
      commit.abort(); // no effect on one that has taken effect
      for (Placed p : placed) {
        index.finish(p.key, p.cell, p.pending);
      }
    }
  }

  private Outcome place(Edit edit) {
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
      placed.add(new Placed(key, cell, pending));
      return Outcome.DONE;
    }
  }
}
