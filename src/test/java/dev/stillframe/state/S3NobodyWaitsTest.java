package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** S3: writers and snapshots do not wait for each other, and {@code get} waits for nobody. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S3NobodyWaitsTest {
  private final SessionState state = SessionState.create();

  private void writeInEveryWay() {
    for (int i = 0; i < 10_000; i++) {
      state.set("a", i);
      state.update("n", old -> old == null ? 1 : (Integer) old + 1);
      state.apply(StateDelta.builder().set("b", i).remove("c").build());
      state.setIfAbsent("c", i);
      state.remove("a");
    }
    state.clear();
    state.set("a", "written");
  }

  @Test
  void writersDoNotWaitForWhoeverWalksASnapshot() throws Exception {
    state.asMap().putAll(Map.of("a", 1, "b", 2, "c", 3));
    CountDownLatch walking = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    new Storm()
        .once(
            1,
            walker -> {
              int seen = 0;
              for (Map.Entry<String, Object> entry : state.all()) {
                walking.countDown();
                written.await();
                assertThat(entry.getValue()).isInstanceOf(Integer.class);
                seen++;
              }
              assertThat(seen).isEqualTo(3);
            })
        .once(
            1,
            writer -> {
              walking.await();
              writeInEveryWay();
              written.countDown();
            })
        .run();

    assertThat(state.all().asMap()).isEqualTo(Map.of("a", "written"));
  }

  @Test
  void writersDoNotWaitForWhoeverHoldsAnIterator() {
    state.asMap().putAll(Map.of("a", 1, "b", 2, "c", 3));
    List<Iterator<?>> held =
        List.of(
            state.all().iterator(),
            state.all().stream().iterator(),
            state.asMap().entrySet().iterator(),
            state.asMap().keySet().iterator(),
            state.asMap().values().iterator());
    held.forEach(Iterator::next);

    writeInEveryWay();

    for (Iterator<?> iterator : held) {
      assertThat(iterator).toIterable().hasSize(2);
    }
  }

  @Test
  void nobodyWaitsForAFunctionThatIsRunning() throws Exception {
    state.set("held", "old");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    new Storm()
        .once(
            1,
            slow ->
                state.update(
                    "held",
                    old -> {
                      running.countDown();
                      awaitUninterruptibly(done);
                      return old + " and updated";
                    }))
        .once(
            1,
            others -> {
              running.await();
              assertThat(state.get("held")).isEqualTo("old");
              assertThat(state.all().asMap()).isEqualTo(Map.of("held", "old"));
              writeInEveryWay();
              state.set("held", "new");
              state.apply(StateDelta.builder().set("held", "newer").set("x", 1).build());
              StateDraft draft = state.draft();
              draft.update("held", old -> "newest");
              draft.commit();
              done.countDown();
            })
        .run();

    assertThat(state.get("held")).isEqualTo("newest and updated");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the storm was ended by another thread", e);
    }
  }

  @Test
  void nobodyWaitsForTheEqualsOfAValue() throws Exception {
    CountDownLatch comparing = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    record Slow(CountDownLatch comparing, CountDownLatch done) {
      @Override
      public boolean equals(Object other) {
        comparing.countDown();
        awaitUninterruptibly(done);
        return true;
      }

      @Override
      public int hashCode() {
        return 0;
      }
    }
    state.set("held", new Slow(comparing, done));
    new Storm()
        .once(1, slow -> state.replace("held", new Slow(comparing, done), "replaced"))
        .once(
            1,
            others -> {
              comparing.await();
              assertThat(state.get("held")).isInstanceOf(Slow.class);
              assertThat(state.all().size()).isEqualTo(1);
              state.set("held", "new");
              done.countDown();
            })
        .run();

    assertThat(state.get("held")).isEqualTo("new");
  }

  @Test
  void writersOfADraftDoNotWaitForItsSnapshot() throws Exception {
    CountDownLatch copying = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    @SuppressWarnings("serial")
    class SlowToCopy extends HashMap<String, Object> {
      @Override
      public Set<Map.Entry<String, Object>> entrySet() {
        copying.countDown();
        awaitUninterruptibly(written);
        return super.entrySet();
      }
    }
    SlowToCopy base = new SlowToCopy();
    base.put("a", 1);
    StateDraft draft = new DraftState((AbstractSessionState) state, new StateSnapshot(base, 1));
    new Storm()
        .once(1, looking -> assertThat(draft.all().get("a")).isEqualTo(1))
        .once(
            1,
            writing -> {
              copying.await();
              draft.set("a", 2);
              assertThat(draft.get("a")).isEqualTo(2);
              written.countDown();
            })
        .run();

    assertThat(draft.all().get("a")).isEqualTo(2);
  }

  @Test
  void writerIsNotDelayedByASnapshotOfAMillionKeys() throws Exception {
    for (int i = 0; i < 1_000_000; i++) {
      state.set("k" + i, i);
    }
    Gaps gaps = new Gaps();
    new Storm()
        .repeat(
            1,
            writer -> {
              state.set("k500000", 1);
              gaps.written();
            })
        .once(
            1,
            snapshotter -> {
              // A pause of the machine or of the garbage collector can fall into any one of them.
              for (int good = 0, i = 0; good < 2; i++) {
                assertThat(i).as("snapshots, of which %d delayed no writer", good).isLessThan(40);
                gaps.restart();
                long start = System.nanoTime();
                assertThat(state.all().size()).isEqualTo(1_000_000);
                long duration = System.nanoTime() - start;
                if (gaps.longest() < duration / 4) {
                  good++;
                }
              }
            })
        .run();
  }

  /** The longest time between two writes that follow each other. */
  private static final class Gaps {
    private long last = System.nanoTime();
    private long longest;

    synchronized void written() {
      long now = System.nanoTime();
      longest = Math.max(longest, now - last);
      last = now;
    }

    synchronized void restart() {
      longest = 0;
      last = System.nanoTime();
    }

    /** Counts the gap that is still open. */
    synchronized long longest() {
      written();
      return longest;
    }
  }

  @Test
  void readerDoesNotWaitForALargeApply() throws Exception {
    StateDelta.Builder large = StateDelta.builder();
    for (int i = 0; i < 200_000; i++) {
      large.set("k" + i, 1);
    }
    StateDelta delta = large.build();
    Gaps gaps = new Gaps();
    new Storm()
        .repeat(
            1,
            reader -> {
              state.get("k0");
              state.get("k77777");
              gaps.written();
            })
        .once(
            1,
            writer -> {
              for (int good = 0, i = 0; good < 2; i++) {
                assertThat(i).as("applies, of which %d delayed no reader", good).isLessThan(40);
                gaps.restart();
                long start = System.nanoTime();
                state.apply(delta);
                long duration = System.nanoTime() - start;
                if (gaps.longest() < duration / 4) {
                  good++;
                }
                state.clear();
              }
            })
        .run();
  }
}
