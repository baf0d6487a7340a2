package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * S4: a snapshot is immutable, keeps no hold on the state, and is free when nothing has changed.
 * What one thread can see of it is in {@link SnapshotContract}.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S4StillFrameTest {
  private final SessionState state = SessionState.create();

  private record Kept(StateSnapshot snapshot, Map<String, Object> copy, String text) {
    static Kept of(StateSnapshot snapshot) {
      return new Kept(snapshot, new HashMap<>(snapshot.asMap()), snapshot.toString());
    }

    void check() {
      assertThat(snapshot.asMap()).isEqualTo(copy);
      assertThat(snapshot).hasToString(text);
      assertThat(snapshot.size()).isEqualTo(copy.size());
    }
  }

  @Test
  void oldSnapshotsStayAsTheyWereWhileWritersGoOn() throws Exception {
    AtomicInteger counter = new AtomicInteger();
    Queue<Kept> kept = new ConcurrentLinkedQueue<>();
    new Storm()
        .repeat(
            3,
            writer -> {
              int i = counter.incrementAndGet();
              state.set("k" + i % 50, i);
              state.update("list", old -> old == null ? List.of(i) : List.of(i, i));
              state.apply(StateDelta.builder().set("a", i).remove("k" + (i + 25) % 50).build());
              if (i % 1_000 == 0) {
                state.clear();
              }
            })
        .repeat(
            1,
            snapshotter -> {
              Kept now = Kept.of(state.all());
              if (kept.size() < 2_000) {
                kept.add(now);
              }
              now.check();
            })
        .runFor(Duration.ofMillis(700));

    assertThat(kept).isNotEmpty();
    kept.forEach(Kept::check);
  }

  @Test
  void snapshotMayBeReadByManyThreads() throws Exception {
    for (int i = 0; i < 100; i++) {
      state.set("k" + i, List.of(i));
    }
    Kept kept = Kept.of(state.all());
    new Storm()
        .once(
            4,
            reader -> {
              for (int i = 0; i < 200; i++) {
                kept.check();
              }
            })
        .repeat(1, writer -> state.set("k1", "other"))
        .run();
  }

  @Test
  void unchangedStateGivesOneSnapshotToAll() throws Exception {
    state.set("a", 1);
    StateSnapshot snapshot = state.all();
    new Storm()
        .once(
            4,
            reader -> {
              for (int i = 0; i < 1_000; i++) {
                assertThat(state.all()).isSameAs(snapshot);
                state.get("a");
                state.remove("absent");
                state.replace("a", 2, 3);
              }
            })
        .run();
  }

  @Test
  void unchangedStateOfManyKeysIsNotCopiedAgain() {
    for (int i = 0; i < 100_000; i++) {
      state.set("k" + i, i);
    }
    StateSnapshot snapshot = state.all();

    long before = Garbage.usedHeap();
    List<StateSnapshot> more = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      more.add(state.all());
    }

    assertThat(more.stream().allMatch(another -> another == snapshot)).isTrue();
    assertThat(Garbage.usedHeap() - before).isLessThan(1_000_000);
  }

  @Test
  void snapshotAfterAStormIsReusedAndComplete() throws Exception {
    new Storm()
        .once(
            3,
            writer -> {
              for (int i = 0; i < 5_000; i++) {
                state.set(writer + ":" + i % 100, i);
                state.remove(writer + ":" + (i + 50) % 100);
              }
            })
        .repeat(2, snapshotter -> state.all())
        .run();

    StateSnapshot last = state.all();
    assertThat(state.all()).isSameAs(last);
    assertThat(last.asMap()).allSatisfy((k, v) -> assertThat(state.get(k)).isEqualTo(v));
    for (int writer = 0; writer < 3; writer++) {
      for (int i = 0; i < 100; i++) {
        String key = writer + ":" + i;
        assertThat(last.get(key)).as(key).isEqualTo(state.get(key));
      }
    }
  }

  @Test
  void snapshotKeepsNoHoldOnTheState() {
    SessionState dropped = SessionState.create();
    dropped.set("a", List.of(1));
    StateSnapshot snapshot = dropped.all();
    WeakReference<SessionState> reference = new WeakReference<>(dropped);
    dropped = null;

    Garbage.awaitCollected(reference);
    assertThat(snapshot.asMap()).isEqualTo(Map.of("a", List.of(1)));
  }

  @Test
  void stateKeepsNoHoldOnAnOutdatedSnapshot() {
    state.set("a", 1);
    WeakReference<StateSnapshot> outdated = new WeakReference<>(state.all());
    state.set("a", 2);

    Garbage.awaitCollected(outdated);
  }

  @Test
  void snapshotKeepsTheValuesThatItShows() {
    Object value = new Object();
    state.set("a", value);
    StateSnapshot snapshot = state.all();
    state.remove("a");

    assertThat(snapshot.get("a")).isSameAs(value);
    assertThat(state.get("a")).isNull();
  }

  @Test
  void draftThatChangesNothingLeavesTheSnapshotUsable() {
    state.set("a", 1);
    StateSnapshot before = state.all();
    state.draft().commit();
    StateDraft whole = state.draft();
    assertThat(whole.size()).isEqualTo(1);
    whole.commit();

    assertThat(state.all()).isSameAs(before);
  }
}
