package dev.stillframe.state;

import java.util.Random;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** A thread's way through the keys and values, in a random order that is drawn beforehand. */
public abstract class Cursor {
  private final int keyCount;
  private final int mask;
  private String[] keys;
  private Object[] values;
  private int at;

  /** Takes a power of two as the number of steps after which the way repeats itself. */
  Cursor(int keyCount, int steps) {
    this.keyCount = keyCount;
    mask = steps - 1;
  }

  @Setup
  public void draw(ThreadParams thread) {
    Random random = new Random(thread.getThreadIndex());
    String[] all = Workload.keys(keyCount);
    keys = new String[mask + 1];
    for (int i = 0; i <= mask; i++) {
      keys[i] = all[random.nextInt(keyCount)];
    }
    values = Workload.values(mask + 1, random);
  }

  /** Goes on by a step and returns its key. */
  final String nextKey() {
    return keys[++at & mask];
  }

  /** Returns the value of this step. */
  final Object value() {
    return values[at & mask];
  }

  /** Tells whether this step is one of each {@code power} of two. */
  final boolean isOneOf(int power) {
    return (at & (power - 1)) == 0;
  }

  @State(Scope.Thread)
  public static class Of100Keys extends Cursor {
    public Of100Keys() {
      super(100, 1 << 10);
    }
  }

  @State(Scope.Thread)
  public static class Of100000Keys extends Cursor {
    public Of100000Keys() {
      super(100_000, 1 << 17);
    }
  }
}
