package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.state.CommitWriter.Outcome;
import dev.stillframe.state.SnapshotEpochs.Announcement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the cells keep while snapshots are open, step by step in one thread. */
class CellIndexTest {
  private final SnapshotEpochs epochs = new SnapshotEpochs();
  private final CellIndex index = new CellIndex(epochs);

  private Cell cell(String key) {
    return Objects.requireNonNull(index.get(key));
  }

  private void set(String key, @Nullable Object value) {
    Cell cell = index.get(key);
    if (cell == null) {
      assertThat(index.insert(key, Objects.requireNonNull(value))).isTrue();
    } else {
      Object head = Objects.requireNonNull(index.settledHead(key, cell));
      assertThat(index.write(key, cell, head, value)).isTrue();
    }
  }

  private Outcome commit(Edit... edits) {
    return CommitWriter.write(index, List.of(edits), null);
  }

  @Test
  void withoutASnapshotAWriteLeavesTheBareValueAndARemovalNothing() {
    set("a", 1);
    set("a", 2);
    set("b", 3);
    set("b", null);

    assertThat(cell("a").head()).isEqualTo(2);
    assertThat(index).containsOnlyKeys("a");
  }

  @Test
  void removedKeyGoesWithTheSnapshotThatNeedsIt() {
    set("a", 1);
    Announcement open = epochs.announce();
    set("a", null);
    assertThat(Cell.valueAt(cell("a").head(), open.epoch)).isEqualTo(1);
    assertThat(index.read("a", cell("a"))).isNull();

    epochs.end(open);

    assertThat(index).isEmpty();
  }

  @Test
  void eachOpenSnapshotKeepsWhatItSeesAndNoMore() {
    set("a", 1);
    Announcement first = epochs.announce();
    set("a", 2);
    set("a", 3);
    Announcement second = epochs.announce();
    set("a", 4);
    set("a", 5);
    Object head = cell("a").head();
    assertThat(Cell.valueAt(head, first.epoch)).isEqualTo(1);
    assertThat(Cell.valueAt(head, second.epoch)).isEqualTo(3);
    assertThat(versions(head)).isEqualTo(2);

    epochs.end(first);
    assertThat(Cell.valueAt(cell("a").head(), second.epoch)).isEqualTo(3);
    epochs.end(second);

    assertThat(cell("a").head()).isEqualTo(5);
  }

  @Test
  void snapshotsMayEndInAnyOrder() {
    set("a", 1);
    set("b", 1);
    Announcement first = epochs.announce();
    set("a", null);
    Announcement second = epochs.announce();
    set("b", null);

    epochs.end(second);
    assertThat(Cell.valueAt(cell("a").head(), first.epoch)).isEqualTo(1);
    assertThat(Cell.valueAt(cell("b").head(), first.epoch)).isEqualTo(1);
    epochs.end(first);

    assertThat(index).isEmpty();
  }

  @Test
  void refusedCommitLeavesNothingBehind() {
    set("b", 1);

    assertThat(commit(Edit.always("a", 1), Edit.ifStill(2, "b", 3))).isEqualTo(Outcome.REFUSED);

    assertThat(index).containsOnlyKeys("b");
    assertThat(cell("b").head()).isEqualTo(1);
  }

  @Test
  void refusedCommitLeavesNothingBehindOnceASnapshotHasEnded() {
    set("a", 1);
    set("b", 1);
    Announcement open = epochs.announce();
    set("a", 2);
    commit(Edit.always("a", 3), Edit.always("c", 3), Edit.ifStill(2, "b", 3));
    assertThat(Cell.valueAt(cell("a").head(), open.epoch)).isEqualTo(1);

    epochs.end(open);

    assertThat(cell("a").head()).isEqualTo(2);
    assertThat(index).containsOnlyKeys("a", "b");
  }

  @Test
  void commitKeepsWhatAnOpenSnapshotSees() {
    set("a", 1);
    Announcement open = epochs.announce();
    assertThat(commit(Edit.always("a", null), Edit.always("b", 2))).isEqualTo(Outcome.DONE);
    SnapshotWalk walk = new SnapshotWalk(index, open.epoch);
    assertThat(Objects.requireNonNull(walk.take()).asMap()).containsOnly(Map.entry("a", 1));
    assertThat(walk.isOutdated()).isTrue();

    epochs.end(open);

    assertThat(index).containsOnlyKeys("b");
    assertThat(cell("b").head()).isEqualTo(2);
  }

  @Test
  void closedIndexTakesNoWriteAndNoCommit() {
    set("a", 1);
    CellIndex successor = new CellIndex(index);
    assertThat(index.close(successor)).isTrue();

    assertThat(index.write("a", cell("a"), cell("a").head(), 2)).isFalse();
    assertThat(index.insert("b", 2)).isFalse();
    assertThat(commit(Edit.always("a", 2), Edit.always("c", 2))).isEqualTo(Outcome.INDEX_CLOSED);
    assertThat(cell("a").head()).isEqualTo(1);
    assertThat(index).containsOnlyKeys("a");
    assertThat(index.close(new CellIndex(index))).isFalse();
    assertThat(index.still()).isSameAs(successor);
  }

  private static int versions(Object head) {
    int versions = 0;
    for (Object at = head; at instanceof Cell.Version version; at = version.older) {
      versions++;
    }
    return versions;
  }

  @Test
  void snapshotTakesOverFromAnOlderOneOnly() {
    Announcement older = epochs.announce();
    Announcement newer = epochs.announce();
    index.announceStill(older);
    index.announceStill(newer);
    assertThat(index.still()).isSameAs(newer);

    index.announceStill(older);

    assertThat(index.still()).isSameAs(newer);
  }
}
