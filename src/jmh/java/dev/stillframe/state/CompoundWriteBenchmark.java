package dev.stillframe.state;

import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does an atomic write cost that is more than a {@code set}, beside what a {@link
 * ConcurrentHashMap} has for it?
 *
 * <pre>{@code
 * mvn -Pjmh verify -Djmh.include=CompoundWriteBenchmark
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class CompoundWriteBenchmark {
  private static final int KEYS = 100;

  private final SessionState state = SessionState.create();
  private final ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();

  @Setup
  public void fill() {
    String[] keys = Workload.keys(KEYS);
    Object[] values = Workload.values(KEYS, new Random(1));
    for (int i = 0; i < KEYS; i++) {
      state.set(keys[i], values[i]);
      map.put(keys[i], values[i]);
    }
  }

  /** Changes of three keys each. */
  @State(Scope.Thread)
  public static class Deltas {
    private static final int MASK = (1 << 10) - 1;

    private final StateDelta[] deltas = new StateDelta[MASK + 1];
    private int at;

    @Setup
    public void draw() {
      Random random = new Random(2);
      String[] keys = Workload.keys(KEYS);
      Object[] values = Workload.values(KEYS, random);
      for (int i = 0; i <= MASK; i++) {
        int first = random.nextInt(KEYS);
        StateDelta.Builder delta = StateDelta.builder();
        for (int j = 0; j < 3; j++) {
          delta.set(keys[(first + j * 29) % KEYS], values[random.nextInt(KEYS)]);
        }
        deltas[i] = delta.build();
      }
    }

    StateDelta next() {
      return deltas[++at & MASK];
    }
  }

  @Benchmark
  public @Nullable Object update(Cursor.Of100Keys cursor) {
    String key = cursor.nextKey();
    Object value = cursor.value();
    return state.update(key, old -> value);
  }

  @Benchmark
  public @Nullable Object compute(Cursor.Of100Keys cursor) {
    String key = cursor.nextKey();
    Object value = cursor.value();
    return map.compute(key, (k, old) -> value);
  }

  @Benchmark
  public void apply(Deltas deltas) {
    state.apply(deltas.next());
  }

  /** What {@code apply} does, but for its atomicity. */
  @Benchmark
  public void putEach(Deltas deltas) {
    map.putAll(deltas.next().stored());
  }
}
