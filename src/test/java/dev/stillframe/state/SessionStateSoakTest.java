package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Eight writers, two snapshotters and a churn of keys, for as long as {@code
 * stillframe.soak.seconds} says. In every snapshot the accounts have their total, each pair has its
 * sum, and each parent counts its children; and memory stays flat.
 */
@Tag("soak")
class SessionStateSoakTest {
  private static final Duration TIME =
      Duration.ofSeconds(Long.getLong("stillframe.soak.seconds", 60));
  private static final int ACCOUNTS = 50;
  private static final int PARENTS = 10;
  private static final int CHURN = 4_000;

  /** More than the keys that happen to be there when a sample is taken. */
  private static final long FLAT = 4_000_000;

  private final SessionState state = SessionState.create();
  private final LongAdder writes = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder snapshots = new LongAdder();
  private final List<Long> heap = new ArrayList<>();

  /** Lets the sampler stop everybody between two operations. It is not for the state's sake. */
  private final ReadWriteLock pause = new ReentrantReadWriteLock(/* fair= */ true);

  @Test
  void invariantsHoldAndMemoryIsFlat() throws Exception {
    for (int i = 0; i < ACCOUNTS; i++) {
      state.set("account" + i, 1_000);
    }
    int[] round = new int[8];
    new Storm()
        .repeat(2, writer -> batch(this::transfer))
        .repeat(2, writer -> batch(this::addOrRemoveChild))
        .repeat(2, writer -> batch(() -> setPair(writer, ++round[writer])))
        .repeat(2, writer -> batch(() -> churn(writer, ++round[4 + writer])))
        .repeat(2, snapshotter -> batch(this::checkSnapshot))
        .once(1, sampler -> sampleUntilTheEnd())
        .run();

    checkSnapshot();
    assertThat(snapshots.sum()).isPositive();
    List<Long> early = heap.subList(0, heap.size() / 2);
    List<Long> late = heap.subList(heap.size() / 2, heap.size());
    assertThat(Collections.min(late))
        .as("heap in bytes, sample by sample: %s", heap)
        .isLessThan(Collections.max(early) + FLAT);
  }

  private void batch(Runnable work) {
    pause.readLock().lock();
    try {
      for (int i = 0; i < 50; i++) {
        work.run();
      }
    } finally {
      pause.readLock().unlock();
    }
  }

  private void commitWithRetry(Consumer<StateDraft> work) {
    for (; ; ) {
      StateDraft draft = state.draft();
      work.accept(draft);
      try {
        draft.commit();
        writes.increment();
        return;
      } catch (StateConflictException e) {
        conflicts.increment();
      }
    }
  }

  private static int random(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }

  private void transfer() {
    int amount = random(100);
    String from = "account" + random(ACCOUNTS);
    String to = "account" + random(ACCOUNTS);
    commitWithRetry(
        draft -> {
          draft.update(from, old -> (Integer) old - amount);
          draft.update(to, old -> (Integer) old + amount);
        });
  }

  private void addOrRemoveChild() {
    String parent = "parent" + random(PARENTS);
    String child = parent + "child" + random(20);
    commitWithRetry(
        draft -> {
          int change = draft.contains(child) ? -1 : 1;
          if (change > 0) {
            draft.set(child, List.of(parent));
          } else {
            draft.remove(child);
          }
          draft.update(parent, old -> old == null ? change : (Integer) old + change);
        });
  }

  private void setPair(int writer, int round) {
    StateDelta pair =
        round % 10 == 0
            ? StateDelta.builder().remove("left" + writer).remove("right" + writer).build()
            : StateDelta.builder()
                .set("left" + writer, round)
                .set("right" + writer, -round)
                .build();
    state.apply(pair);
    writes.increment();
  }

  /** Grows by thousands of keys that were never there before, and shrinks again. */
  private void churn(int writer, int round) {
    int step = round % (2 * CHURN);
    int key = round / (2 * CHURN) * CHURN + step % CHURN;
    if (step < CHURN) {
      state.set("churn" + writer + ":" + key, new byte[16]);
      state.update("churned", old -> old == null ? 1L : (Long) old + 1);
    } else {
      state.remove("churn" + writer + ":" + key);
    }
    writes.increment();
  }

  private void checkSnapshot() {
    int total = 0;
    int children = 0;
    int counted = 0;
    StateSnapshot snapshot = state.all();
    for (Map.Entry<String, Object> entry : snapshot) {
      String key = entry.getKey();
      if (key.startsWith("account")) {
        total += (Integer) entry.getValue();
      } else if (key.contains("child")) {
        children++;
      } else if (key.startsWith("parent")) {
        counted += (Integer) entry.getValue();
      } else if (key.startsWith("left")) {
        assertThat(snapshot.get(key.replace("left", "right")))
            .isEqualTo(-(Integer) entry.getValue());
      } else if (key.startsWith("right")) {
        assertThat(snapshot.get(key.replace("right", "left"))).isNotNull();
      }
    }
    assertThat(total).isEqualTo(ACCOUNTS * 1_000);
    assertThat(counted).isEqualTo(children);
    snapshots.increment();
  }

  private void sampleUntilTheEnd() throws InterruptedException {
    long start = System.nanoTime();
    long rest = Math.max(TIME.toMillis() / 20, 200);
    while (System.nanoTime() - start < TIME.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(rest);
      pause.writeLock().lock();
      try {
        heap.add(Garbage.usedHeap());
      } finally {
        pause.writeLock().unlock();
      }
      System.out.printf(
          "%4d s: %,d writes, %,d conflicts, %,d snapshots, %,d keys, heap %,d KB%n",
          (System.nanoTime() - start) / 1_000_000_000,
          writes.sum(),
          conflicts.sum(),
          snapshots.sum(),
          state.size(),
          heap.get(heap.size() - 1) / 1_000);
    }
    assertThat(heap).hasSizeGreaterThanOrEqualTo(2);
  }
}
