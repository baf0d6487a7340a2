package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Situations that have gone wrong elsewhere: state atomicity. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StateAtomicityCasesTest {

  @ParameterizedTest
  @EnumSource
  @DisplayName("Increments vanish under contention")
  void incrementsDoNotVanishUnderContention(StateKind kind) throws Exception {
    SessionState state = kind.create();
    state.set("n", 0);
    AtomicIntegerArray returned = new AtomicIntegerArray(16_001);
    new Storm()
        .once(
            16,
            thread -> {
              for (int i = 0; i < 1_000; i++) {
                returned.incrementAndGet((Integer) state.update("n", n -> (Integer) n + 1));
              }
            })
        .run();

    assertThat(state.get("n")).isEqualTo(16_000);
    for (int i = 1; i <= 16_000; i++) {
      assertThat(returned.get(i)).as("times that %d was returned", i).isEqualTo(1);
    }
  }

  private static StateDelta transfer(int x) {
    return StateDelta.builder().set("a", x).set("b", 2_000 - x).build();
  }

  private static int sum(StateSnapshot snapshot) {
    return snapshot.get(StateKey.of("a", Integer.class))
        + snapshot.get(StateKey.of("b", Integer.class));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OVER_MAP")
  @DisplayName("Half of a transfer is visible")
  void halfOfATransferIsNeverVisible(StateKind kind) throws Exception {
    SessionState state = kind.create();
    state.apply(transfer(1_000));
    int[] x = {0, 1_000};
    AtomicInteger looks = new AtomicInteger();
    new Storm()
        .repeat(2, writer -> state.apply(transfer(++x[writer])))
        .repeat(
            2,
            reader -> {
              assertThat(sum(state.all())).isEqualTo(2_000);
              looks.incrementAndGet();
            })
        .runFor(Duration.ofMillis(400));

    assertThat(looks).hasPositiveValue();
    assertThat(sum(state.all())).isEqualTo(2_000);
    assertThat(state.get("a")).isIn(x[0], x[1]);
  }

  @Test
  @DisplayName("Saving a session while it is changing")
  void savedSessionFitsItsVersion() throws Exception {
    SessionState state = SessionState.create();
    ObjectMapper json = new ObjectMapper();
    int[] step = new int[4];
    List<String> saved = new ArrayList<>();
    new Storm()
        .repeat(4, writer -> state.apply(step(writer, ++step[writer])))
        .once(
            1,
            saver -> {
              for (int i = 0; i < 500; i++) {
                saved.add(json.writeValueAsString(state.all().asMap()));
              }
            })
        .run();

    for (String text : saved) {
      Map<String, Object> content = json.readValue(text, new TypeReference<>() {});
      for (int writer = 0; writer < 4; writer++) {
        int version = (Integer) content.getOrDefault("version" + writer, 0);
        assertThat(dataOf(writer, content)).isEqualTo(dataAt(writer, version));
      }
    }
  }

  /** One change to one of the 250 keys of a writer, every third one a removal, and its version. */
  private static StateDelta step(int writer, int version) {
    StateDelta.Builder delta = StateDelta.builder().set("version" + writer, version);
    String key = writer + ":" + version % 250;
    return (version % 3 == 0 ? delta.remove(key) : delta.set(key, version)).build();
  }

  private static Map<String, Object> dataAt(int writer, int version) {
    Map<String, Object> data = new TreeMap<>();
    for (int last = Math.max(1, version - 249); last <= version; last++) {
      if (last % 3 != 0) {
        data.put(writer + ":" + last % 250, last);
      }
    }
    return data;
  }

  private static Map<String, Object> dataOf(int writer, Map<String, Object> saved) {
    Map<String, Object> data = new TreeMap<>(saved);
    data.keySet().removeIf(key -> !key.startsWith(writer + ":"));
    return data;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Walking a snapshot while writers run")
  void walkShowsTheMomentOfTheCall(StateKind kind) throws Exception {
    SessionState state = kind.create();
    Map<String, Object> seeded = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      seeded.put("old" + i, i);
    }
    state.asMap().putAll(seeded);
    StateSnapshot snapshot = state.all();
    Map<String, Object> walked = new HashMap<>();
    Iterator<Map.Entry<String, Object>> walk = snapshot.iterator();

    while (walk.hasNext()) {
      int done = walked.size();
      new Storm()
          .once(
              1,
              writer -> {
                for (int i = 0; i < 10; i++) {
                  state.set("new" + (done * 10 + i), i);
                }
                state.remove("old" + done);
              })
          .run();
      Map.Entry<String, Object> entry = walk.next();
      walked.put(entry.getKey(), entry.getValue());
    }

    assertThat(walked).isEqualTo(seeded);
    assertThat(state.size()).isEqualTo(1_000);
    assertThatThrownBy(() -> snapshot.asMap().put("x", 1))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> snapshot.asMap().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(snapshot.asMap()).isEqualTo(seeded);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("An update function that touches the same state")
  void updateFunctionMayTouchTheSameState(StateKind kind) throws Exception {
    SessionState state = kind.create();
    List<String> bin = SameHash.keys(64);
    String a = bin.get(0);
    String b = bin.get(1);
    state.set(a, 0);
    state.set(b, 0);
    int perThread = 200;
    new Storm()
        .once(
            3,
            thread -> {
              for (int i = 0; i < perThread; i++) {
                String growing = thread + "grows" + i;
                state.update(
                    a,
                    old -> {
                      state.get(b);
                      state.set(growing, 1);
                      bin.subList(2, 64).forEach(key -> state.setIfAbsent(key, growing));
                      return (Integer) old + 1;
                    });
                boolean[] nested = new boolean[1];
                state.update(
                    a,
                    old -> {
                      if (!nested[0]) {
                        nested[0] = true;
                        state.update(a, same -> (Integer) same + 1);
                        state.update(b, other -> (Integer) other + 1);
                        return (Integer) state.require(a);
                      }
                      return (Integer) old;
                    });
              }
            })
        .run();

    assertThat(state.get(a)).isEqualTo(2 * 3 * perThread);
    assertThat(state.get(b)).isEqualTo(3 * perThread);
    assertThat(state.size()).isEqualTo(64 + 3 * perThread);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Results of parallel branches go missing")
  void resultsOfParallelBranchesAreAllThere(StateKind kind) throws Exception {
    SessionState state = kind.create();
    repeatedly(
        200,
        branch -> {
          state.set("branch" + branch, branch);
          state.update("results", old -> append(old, branch));
        },
        () -> hasAllResults(state));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Results of parallel branches go missing: branches with a draft each")
  void resultsOfParallelDraftsAreAllThere(StateKind kind) throws Exception {
    SessionState state = kind.create();
    repeatedly(
        50,
        branch -> {
          StateDraft draft = state.draft();
          draft.set("branch" + branch, branch);
          draft.update("results", old -> append(old, branch));
          draft.commit((key, base, current, mine) -> append(current, branch));
        },
        () -> hasAllResults(state));
  }

  private static void repeatedly(int repetitions, IntConsumer branch, Runnable afterJoin)
      throws Exception {
    CyclicBarrier together = new CyclicBarrier(8);
    new Storm()
        .once(
            8,
            thread -> {
              for (int i = 0; i < repetitions; i++) {
                together.await();
                branch.accept(thread);
                together.await();
                if (thread == 0) {
                  afterJoin.run();
                }
              }
            })
        .run();
  }

  private static void hasAllResults(SessionState state) {
    assertThat(state.size()).isEqualTo(9);
    for (int branch = 0; branch < 8; branch++) {
      assertThat(state.get("branch" + branch)).isEqualTo(branch);
    }
    assertThat((List<?>) state.require("results"))
        .hasSize(8)
        .doesNotHaveDuplicates()
        .allSatisfy(branch -> assertThat(branch).isInstanceOf(Integer.class));
    state.clear();
  }

  private static List<Object> append(Object old, Object value) {
    List<Object> list = new ArrayList<>(old == null ? List.of() : (List<?>) old);
    list.add(value);
    return list;
  }
}
