package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S8: what was removed or overwritten leaves nothing behind. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class S8NothingBehindTest {
  private static final int MILLION = 1_000_000;

  /** Far below the table alone that a million keys need. */
  private static final long SMALL = 2_000_000;

  private final SessionState state = SessionState.create();

  private enum Emptying {
    ONE_BY_ONE,
    BY_UPDATE,
    BY_THE_VIEW,
    BY_A_DELTA,
    ALL_AT_ONCE;

    void empty(SessionState state, int keys) {
      switch (this) {
        case ONE_BY_ONE -> forEachKey(keys, state::remove);
        case BY_UPDATE -> forEachKey(keys, key -> state.update(key, old -> null));
        case BY_THE_VIEW -> state.asMap().keySet().removeIf(key -> true);
        case BY_A_DELTA -> {
          StateDelta.Builder delta = StateDelta.builder();
          forEachKey(keys, delta::remove);
          state.apply(delta.build());
        }
        case ALL_AT_ONCE -> state.clear();
      }
    }
  }

  private static void forEachKey(int keys, Consumer<String> action) {
    for (int i = 0; i < keys; i++) {
      action.accept("k" + i);
    }
  }

  private void growAndEmpty(int keys, Emptying emptying, long bound) {
    state.set("warm", "up");
    state.remove("warm");
    long before = Garbage.usedHeap();
    forEachKey(keys, key -> state.set(key, 1));
    emptying.empty(state, keys);

    assertThat(Garbage.usedHeap() - before).isLessThan(bound);
    assertThat(state.get("k1")).isNull();
    assertThat(state.size()).isZero();
    assertThat(state.setIfAbsent("k1", "again")).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"ONE_BY_ONE", "ALL_AT_ONCE"})
  void millionKeysSetAndRemovedLeaveAnEmptySmallState(Emptying emptying) {
    growAndEmpty(MILLION, emptying, SMALL);
  }

  @ParameterizedTest
  @EnumSource
  void inWhateverWayItIsEmptiedTheStateIsSmall(Emptying emptying) {
    growAndEmpty(MILLION / 5, emptying, SMALL / 2);
  }

  @Test
  void millionKeysOneAfterTheOtherLeaveAnEmptySmallState() {
    long before = Garbage.usedHeap();
    forEachKey(
        MILLION,
        key -> {
          state.set(key, 1);
          state.remove(key);
        });

    assertThat(state.size()).isZero();
    assertThat(Garbage.usedHeap() - before).isLessThan(SMALL);
  }

  @Test
  void millionRemovalsOfAbsentKeysLeaveAnEmptySmallState() {
    long before = Garbage.usedHeap();
    for (int i = 0; i < MILLION; i += 10) {
      state.remove("k" + i);
      state.update("k" + (i + 1), old -> null);
      state.apply(StateDelta.builder().remove("k" + (i + 2)).remove("k" + (i + 3)).build());
    }

    assertThat(state.size()).isZero();
    assertThat(Garbage.usedHeap() - before).isLessThan(SMALL);
  }

  @Test
  void stateThatKeptTenKeysIsSmall() {
    long before = Garbage.usedHeap();
    forEachKey(MILLION / 5, key -> state.set(key, 1));
    for (int i = 10; i < MILLION / 5; i++) {
      state.remove("k" + i);
    }
    assertThat(Garbage.usedHeap() - before).isLessThan(SMALL / 2);
    assertThat(state.all().size()).isEqualTo(10);
    assertThat(state.get("k9")).isEqualTo(1);
  }

  @Test
  void removedAndOverwrittenValuesAreLetGo() {
    List<WeakReference<Object>> gone = new ArrayList<>();
    for (String key : List.of("removed", "overwritten", "updated", "applied", "cleared")) {
      Object value = new Object();
      gone.add(new WeakReference<>(value));
      state.set(key, value);
    }
    state.all();
    state.remove("removed");
    state.set("overwritten", 1);
    state.update("updated", old -> 1);
    state.apply(StateDelta.builder().set("applied", 1).build());
    Garbage.awaitAtMost(1, gone);

    state.clear();
    Garbage.awaitAtMost(0, gone);
  }

  @Test
  void removedKeysAreLetGo() {
    List<WeakReference<String>> gone = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      String key = "key" + i;
      gone.add(new WeakReference<>(key));
      state.set(key, i);
      if (i % 100 == 0) {
        state.all();
      }
      state.remove("key" + i);
    }

    Garbage.awaitAtMost(0, gone);
  }

  @Test
  void afterAStormOfSnapshotsOnlyWhatIsStoredIsKept() throws Exception {
    Queue<WeakReference<Object>> all = new ConcurrentLinkedQueue<>();
    new Storm()
        .once(
            3,
            writer -> {
              for (int i = 0; i < 8_000; i++) {
                Object value = new Object();
                all.add(new WeakReference<>(value));
                String key = "k" + (i * 7 + writer) % 40;
                switch (i % 4) {
                  case 0 -> state.set(key, value);
                  case 1 -> state.update(key, old -> old == null ? value : null);
                  case 2 -> state.apply(StateDelta.builder().set(key, value).build());
                  default -> {
                    state.remove(key);
                    state.setIfAbsent(key, value);
                  }
                }
              }
            })
        .repeat(2, snapshotter -> state.all())
        .run();

    assertThat(state.size()).isLessThanOrEqualTo(40);
    Garbage.awaitAtMost(state.size(), all);
    state.clear();
    Garbage.awaitAtMost(0, all);
  }

  @Test
  void afterAStormOfSnapshotsNoRemovedKeyIsKept() throws Exception {
    Queue<WeakReference<String>> all = new ConcurrentLinkedQueue<>();
    new Storm()
        .once(
            3,
            writer -> {
              for (int i = 0; i < 5_000; i++) {
                String key = writer + "key" + i;
                all.add(new WeakReference<>(key));
                state.set(key, i);
                state.remove(key);
              }
            })
        .repeat(2, snapshotter -> state.all())
        .run();

    assertThat(state.size()).isZero();
    Garbage.awaitAtMost(0, all);
  }

  @Test
  void memoryStaysFlatWhileSnapshotsAreTakenWithoutPause() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      state.set("k" + i, new byte[100]);
    }
    long before = Garbage.usedHeap();
    new Storm()
        .once(
            1,
            writer -> {
              for (int i = 0; i < 100_000; i++) {
                state.set("k" + i % 1_000, new byte[100]);
              }
            })
        .repeat(1, snapshotter -> state.all())
        .run();
    state.set("k0", new byte[100]);

    assertThat(Garbage.usedHeap() - before).isLessThan(SMALL);
  }

  @Test
  void droppedAndCommittedDraftsAreLetGo() {
    List<WeakReference<StateDraft>> drafts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      StateDraft draft = state.draft();
      draft.set("k", i);
      if (i % 2 == 0) {
        draft.commit();
      }
      drafts.add(new WeakReference<>(draft));
    }

    Garbage.awaitAtMost(0, drafts);
  }
}
