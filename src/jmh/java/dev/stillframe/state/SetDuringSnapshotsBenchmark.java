package dev.stillframe.state;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does a write of one of 100,000 keys take while another thread takes snapshots without
 * pause, and how long alone? Sampled for the percentiles, and as an average, which knows nothing of
 * the clock's cost. The time of a snapshot stands beside it: who delays writers, and who starves?
 *
 * <pre>{@code
 * mvn -Pjmh verify -Djmh.include=SetDuringSnapshotsBenchmark "-Djmh.args=-bm sample"
 * }</pre>
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class SetDuringSnapshotsBenchmark {
  @Param({"STILLFRAME", "CHM", "RW_LOCK", "TRIE_MAP"})
  public Contender contender;

  private StateContender state;

  @Setup
  public void fill() {
    state = Workload.filled(contender, 100_000);
  }

  @Benchmark
  public @Nullable Object alone(Cursor.Of100000Keys cursor) {
    return state.set(cursor.nextKey(), cursor.value());
  }

  @Benchmark
  @Group("during")
  public @Nullable Object set(Cursor.Of100000Keys cursor) {
    return state.set(cursor.nextKey(), cursor.value());
  }

  @Benchmark
  @Group("during")
  public Object snapshot() {
    return state.snapshot();
  }
}
