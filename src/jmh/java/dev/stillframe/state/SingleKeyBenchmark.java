package dev.stillframe.state;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to read or write one of 100 present keys?
 *
 * <pre>{@code
 * mvn -Pjmh verify -Djmh.include=SingleKeyBenchmark.get "-Djmh.args=-p contender=STILLFRAME,CHM"
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
public class SingleKeyBenchmark {
  @Param({"STILLFRAME", "CHM", "TWO_MAPS", "TRIE_MAP"})
  public Contender contender;

  private StateContender state;

  @Setup
  public void fill() {
    state = Workload.filled(contender, 100);
  }

  @Benchmark
  public @Nullable Object get(Cursor.Of100Keys cursor) {
    return state.get(cursor.nextKey());
  }

  @Benchmark
  public @Nullable Object set(Cursor.Of100Keys cursor) {
    return state.set(cursor.nextKey(), cursor.value());
  }

  @Benchmark
  @Threads(2)
  public @Nullable Object setByTwo(Cursor.Of100Keys cursor) {
    return state.set(cursor.nextKey(), cursor.value());
  }

  /** Two threads, of whose steps one in four writes. */
  @Benchmark
  @Threads(2)
  public @Nullable Object mixedByTwo(Cursor.Of100Keys cursor) {
    String key = cursor.nextKey();
    return cursor.isOneOf(4) ? state.set(key, cursor.value()) : state.get(key);
  }
}
