package dev.stillframe.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jol.info.GraphLayout;

/**
 * How many bytes does a state take beside a {@link ConcurrentHashMap}, and what is left in it of
 * writes that went on beside snapshots? Keys and values are not counted.
 *
 * <p>This is a program of its own, without JMH; it prints two tables.
 */
public final class StateFootprint {
  private static final String VALUE = "value";

  private StateFootprint() {}

  public static void main(String[] args) throws InterruptedException {
    System.out.println("| bytes | Stillframe | ConcurrentHashMap |");
    System.out.println("|---|---|---|");
    for (int count : new int[] {0, 1, 10, 100}) {
      String[] keys = Workload.keys(count);
      ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();
      for (String key : keys) {
        map.put(key, VALUE);
      }
      System.out.printf(
          "| %d keys | %d | %d |%n", count, bytes(filled(keys), keys), bytes(map, keys));
    }
    System.out.println();
    System.out.println("| bytes before and after 100,000 writes to 1,000 keys | before | after |");
    System.out.println("|---|---|---|");
    for (int threads = 0; threads <= 2; threads++) {
      String[] keys = Workload.keys(1_000);
      SessionState state = filled(keys);
      long before = bytes(state, keys);
      long snapshots = write(state, keys, threads);
      System.out.printf(
          "| beside %d snapshots by %d threads | %d | %d |%n",
          snapshots, threads, before, bytes(state, keys));
    }
  }

  private static SessionState filled(String[] keys) {
    SessionState state = SessionState.create();
    for (String key : keys) {
      state.set(key, VALUE);
    }
    return state;
  }

  /** Writes until there were 100,000 writes and returns how many snapshots were taken meanwhile. */
  private static long write(SessionState state, String[] keys, int threads)
      throws InterruptedException {
    List<SnapshotThread> others = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      others.add(new SnapshotThread(state));
    }
    others.forEach(Thread::start);
    for (int i = 0; i < 100_000; i++) {
      state.set(keys[i % keys.length], VALUE);
    }
    long taken = 0;
    for (SnapshotThread other : others) {
      other.stopped = true;
      other.join();
      taken += other.taken;
    }
    state.set(keys[0], VALUE); // so that no snapshot is kept for reuse
    return taken;
  }

  private static long bytes(Object root, String[] keys) {
    return GraphLayout.parseInstance(root, keys, VALUE).totalSize()
        - GraphLayout.parseInstance(keys, VALUE).totalSize();
  }

  private static final class SnapshotThread extends Thread {
    private final SessionState state;
    private volatile boolean stopped;
    private long taken;

    SnapshotThread(SessionState state) {
      super("snapshots");
      this.state = state;
    }

    @Override
    public void run() {
      while (!stopped) {
        state.all();
        taken++;
      }
    }
  }
}
