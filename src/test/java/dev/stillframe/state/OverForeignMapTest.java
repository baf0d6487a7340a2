package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link SessionState#over} beside others who use the map, and over a map that holds bytes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OverForeignMapTest {
  private final ConcurrentMap<String, Object> map = new ConcurrentHashMap<>();
  private final SessionState state = SessionState.over(map);

  private final SessionState overBytes = SessionState.over(new SerializingMap());

  @Test
  void nullMapIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> SessionState.over(null));
  }

  @Test
  void mapIsTheOnlyStore() {
    map.put("a", 1);
    assertThat(state.get("a")).isEqualTo(1);
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1));

    state.set("a", 2);
    state.set("b", List.of(3));
    assertThat(map).isEqualTo(Map.of("a", 2, "b", List.of(3)));
    map.remove("a");
    assertThat(state.contains("a")).isFalse();
    assertThat(SessionState.over(map).all()).isEqualTo(state.all());
  }

  @Test
  void draftThatOthersNeverLetCommitSaysWhichKeysItTouched() {
    @SuppressWarnings("serial")
    class AlwaysOvertaken extends ConcurrentHashMap<String, Object> {
      @Override
      public Object putIfAbsent(String key, Object value) {
        return "of another, who removed it again at once";
      }
    }
    StateDraft draft = SessionState.over(new AlwaysOvertaken()).draft();
    draft.get("read");
    draft.set("written", 1);

    assertThatExceptionOfType(StateConflictException.class)
        .isThrownBy(draft::commit)
        .satisfies(e -> assertThat(e.keys()).containsExactly("read", "written"));
  }

  @Test
  void otherUsersOfTheMapFindOrdinaryValues() {
    state.set("ints", new int[] {1, 2});
    state.apply(StateDelta.builder().set("grid", new int[][] {{1}}).build());
    StateDraft draft = state.draft();
    draft.set("drafted", new int[] {3});
    draft.commit();

    assertThat((int[]) map.get("ints")).containsExactly(1, 2);
    assertThat((int[][]) map.get("grid")).isDeepEqualTo(new int[][] {{1}});
    assertThat((int[]) map.get("drafted")).containsExactly(3);
  }

  @Test
  void whatOthersPutThereIsCopiedOnTheWayOut() {
    List<Object> list = new ArrayList<>(List.of(1));
    map.put("list", list);
    map.put("ints", new int[] {1});
    StateSnapshot snapshot = state.all();
    Object got = state.require("list");
    list.add(2);

    assertThat(got).isEqualTo(List.of(1));
    assertThat(snapshot.get("list")).isEqualTo(List.of(1));
    assertThatThrownBy(() -> ((List<?>) state.require("list")).clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(
            () ->
                state.update(
                    "list",
                    old -> {
                      ((List<?>) old).clear();
                      return old;
                    }))
        .isInstanceOf(UnsupportedOperationException.class);
    ((int[]) state.require("ints"))[0] = 9;
    assertThat((int[]) map.get("ints")).containsExactly(1);
    assertThat(map.get("list")).isEqualTo(List.of(1, 2));
  }

  @Test
  void draftConflictsWithAnotherUserOfTheMap() {
    map.put("a", 1);
    StateDraft draft = state.draft();
    draft.update("a", old -> (Integer) old + 1);
    draft.set("b", 1);
    map.put("a", 5);

    assertThatThrownBy(draft::commit)
        .isInstanceOfSatisfying(
            StateConflictException.class, e -> assertThat(e.keys()).containsExactly("a"));
    assertThat(map).isEqualTo(Map.of("a", 5));
  }

  @Test
  void draftThatFailsHalfWayTakesBackWhatItWrote() {
    Map<String, Object> before = Map.of("a", 1, "b", new int[] {1}, "z", 1);
    ConcurrentMap<String, Object> contended =
        new ConcurrentSkipListMap<>(before) {
          @Override
          public boolean replace(String key, Object oldValue, Object newValue) {
            if (key.equals("z")) {
              put(key, 2); // somebody else was first
            }
            return super.replace(key, oldValue, newValue);
          }
        };
    StateDraft draft = SessionState.over(contended).draft();
    for (String key : List.of("a", "b", "z")) {
      draft.set(key, new int[] {9});
    }
    draft.set("new", new int[] {9});

    assertThatThrownBy(draft::commit).isInstanceOf(StateConflictException.class);
    assertThat(contended)
        .containsOnlyKeys("a", "b", "z")
        .containsEntry("a", 1)
        .containsEntry("z", 2);
    assertThat((int[]) contended.get("b")).containsExactly(1);
  }

  @Test
  void mapThatNeverReplacesAnEqualValueIsNamedAndTheDraftTakesBackWhatItWrote() {
    ConcurrentMap<String, Object> stubborn =
        new ConcurrentSkipListMap<>(Map.of("a", 1, "z", 1)) {
          @Override
          public boolean replace(String key, Object oldValue, Object newValue) {
            return !key.equals("z") && super.replace(key, oldValue, newValue);
          }
        };
    SessionState over = SessionState.over(stubborn);
    StateDraft draft = over.draft();
    draft.set("a", 2);
    draft.set("z", 2);

    assertThatIllegalStateException()
        .isThrownBy(() -> over.update("z", old -> 2))
        .withMessageContaining("'z'");
    assertThatIllegalStateException().isThrownBy(draft::commit);
    assertThat(stubborn).isEqualTo(Map.of("a", 1, "z", 1));
  }

  private static List<Object> plainValues() {
    return List.of(
        1, "text", List.of(1, List.of(2)), new int[] {1, 2}, new int[][] {{1}, {2}}, Boolean.TRUE);
  }

  private static List<Object> otherValues() {
    return List.of(
        List.of(new int[] {1}, "x"),
        Map.of("k", List.of(1)),
        new HashMap<>(Map.of("a", 1, "b", 2, "c", 3)),
        Set.of(1),
        new HashSet<>(Arrays.asList(1, 2, 3, null)));
  }

  private void writeInEveryWayOverBytes(Object value) {
    overBytes.set("k", value);
    assertThat(overBytes.update("k", old -> "new")).isEqualTo("new");

    overBytes.set("k", value);
    assertThat(overBytes.update("k", old -> null)).isNull();
    assertThat(overBytes.contains("k")).isFalse();

    overBytes.set("k", value);
    assertThat(overBytes.replace("k", "other", "new")).isFalse();
    assertThat(overBytes.replace("k", value, "new")).isTrue();

    overBytes.set("k", value);
    assertThat(overBytes.remove("k", value)).isTrue();

    overBytes.set("k", value);
    StateDraft draft = overBytes.draft();
    draft.update("k", old -> List.of("new"));
    draft.set("l", value);
    draft.commit();
    assertThat(overBytes.get("k")).isEqualTo(List.of("new"));
    assertThat(overBytes.remove("l", value)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("plainValues")
  void valueCanBeWrittenInEveryWayOverAMapThatHoldsBytes(Object value) {
    writeInEveryWayOverBytes(value);
  }

  @ParameterizedTest
  @MethodSource("otherValues")
  void otherValueCanBeWrittenInEveryWayOverAMapThatHoldsBytes(Object value) {
    writeInEveryWayOverBytes(value);
  }

  private static void behavesAsAMap(SessionState over) {
    TreeMap<String, Object> model = new TreeMap<>();
    RandomOperations operations = new RandomOperations(new Random(3));
    for (int step = 0; step < 2_000; step++) {
      RandomOperations.Outcome outcome = operations.next(over, model);
      assertThat(outcome.ofState())
          .as("step %d: %s", step, outcome.operation())
          .isEqualTo(outcome.ofModel());
      assertThat(over.all().asMap()).as("after step %d", step).isEqualTo(model);
    }
  }

  @Test
  void stateOverASortedMapBehavesAsAMap() {
    behavesAsAMap(SessionState.over(new ConcurrentSkipListMap<>()));
  }

  @Test
  void stateOverAMapThatHoldsBytesBehavesAsAMap() {
    behavesAsAMap(overBytes);
  }

  @Test
  void updatesOfSeveralThreadsAddUpOverAMapThatHoldsBytes() throws Exception {
    new Storm()
        .once(
            4,
            thread -> {
              for (int i = 0; i < 250; i++) {
                overBytes.update("n", old -> old == null ? 1 : (Integer) old + 1);
              }
            })
        .run();

    assertThat(overBytes.get("n")).isEqualTo(1_000);
  }

  @Test
  void draftThatOnlyReadWritesNothingToTheMap() {
    @SuppressWarnings("serial")
    class WriteOnce extends ConcurrentHashMap<String, Object> {
      @Override
      public boolean replace(String key, Object expected, Object value) {
        throw new AssertionError("nobody wrote " + key);
      }
    }
    WriteOnce readOnly = new WriteOnce();
    readOnly.put("a", 1);
    StateDraft draft = SessionState.over(readOnly).draft();
    assertThat(draft.get("a")).isEqualTo(1);
    draft.commit();

    StateDraft outdated = SessionState.over(readOnly).draft();
    outdated.get("a");
    readOnly.put("a", 2);
    assertThatExceptionOfType(StateConflictException.class).isThrownBy(outdated::commit);
  }

  @Test
  void valueOfOthersThatCannotBeCopiedDoesNotFailAWrite() {
    List<Object> deep = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      deep = new ArrayList<>(List.of(deep));
    }
    map.put("set", deep);
    map.put("removed", deep);

    assertThatThrownBy(() -> state.get("set")).hasMessageContaining("'set'");
    assertThat(state.setIfAbsent("set", 1)).isSameAs(deep);
    assertThat(state.set("set", 1)).isSameAs(deep);
    assertThat(state.remove("removed")).isSameAs(deep);
    assertThat(state.all().asMap()).isEqualTo(Map.of("set", 1));
  }
}
