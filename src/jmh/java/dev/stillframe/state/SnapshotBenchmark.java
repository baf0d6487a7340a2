package dev.stillframe.state;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a snapshot of 100 keys cost after a write, and without one?
 *
 * <p>The writes are part of the times, some 2 % of them. {@code TRIE_MAP} copies lazily: what its
 * snapshots save, the next writes and whoever walks them pay.
 *
 * <pre>{@code
 * mvn -Pjmh verify -Djmh.include=SnapshotBenchmark
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class SnapshotBenchmark {

  @State(Scope.Benchmark)
  public static class Any {
    @Param({"STILLFRAME", "CHM", "RW_LOCK", "TRIE_MAP"})
    public Contender contender;

    private StateContender state;

    @Setup
    public void fill() {
      state = Workload.filled(contender, 100);
    }
  }

  @State(Scope.Benchmark)
  public static class Ours {
    private final StateContender state = Workload.filled(Contender.STILLFRAME, 100);
  }

  @Benchmark
  public Object changed(Any any, Cursor.Of100Keys cursor) {
    any.state.set(cursor.nextKey(), cursor.value());
    return any.state.snapshot();
  }

  /** To be compared with {@link SingleKeyBenchmark#get}. */
  @Benchmark
  public Object unchanged(Ours ours) {
    return ours.state.snapshot();
  }
}
