package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * S6: nobody changes what is stored behind the state's back, unless the state was asked to keep
 * references. {@link CopiedValuesContract} has what one thread can see of it.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S6ValuesStayTest {
  private final SessionState state = SessionState.create();

  @Test
  void writerMayGoOnChangingWhatItHasStored() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    new Storm()
        .repeat(
            2,
            writer -> {
              List<Object> list = new ArrayList<>();
              Map<String, Object> map = new HashMap<>(Map.of("list", list));
              int[] ints = new int[8];
              map.put("ints", ints);
              for (int i = 0; i < 8; i++) {
                list.add(i);
                ints[i] = i + 1;
              }
              state.set("value", map);
              list.clear();
              map.clear();
              Arrays.fill(ints, -1);
            })
        .repeat(
            2,
            reader -> {
              if (state.get("value") instanceof Map<?, ?> map) {
                assertThat(map.get("list")).isEqualTo(List.of(0, 1, 2, 3, 4, 5, 6, 7));
                assertThat((int[]) map.get("ints")).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
                ((int[]) map.get("ints"))[0] = -1;
                looks.incrementAndGet();
              }
            })
        .runFor(Duration.ofMillis(400));

    assertThat(looks).hasPositiveValue();
  }

  @Test
  void listThatIsChangedWhileItIsStoredIsStoredAsItOnceWas() throws Exception {
    CopyOnWriteArrayList<Integer> shared = new CopyOnWriteArrayList<>();
    List<Integer> guarded = Collections.synchronizedList(new ArrayList<>());
    new Storm()
        .once(
            1,
            changer -> {
              for (int i = 0; i < 2_000; i++) {
                shared.add(i);
                guarded.add(i);
              }
            })
        .repeat(
            1,
            storer -> {
              state.set("shared", shared);
              state.set("guarded", guarded);
              for (String key : List.of("shared", "guarded")) {
                List<?> stored = (List<?>) state.require(key);
                for (int i = 0; i < stored.size(); i++) {
                  assertThat(stored.get(i)).isEqualTo(i);
                }
              }
            })
        .run();
  }

  @Test
  void stateThatKeepsReferencesKeepsThem() {
    SessionState byReference = SessionState.builder().valuesByReference().build();
    List<Object> list = new ArrayList<>(List.of(1));
    int[] ints = {1};
    byReference.set("list", list);
    byReference.set("ints", ints);
    byReference.update("map", old -> new HashMap<>(Map.of("list", list)));

    list.add(2);
    ints[0] = 9;

    assertThat(byReference.get("list")).isSameAs(list);
    assertThat(byReference.get("ints")).isSameAs(ints);
    assertThat(byReference.all().get("list")).isSameAs(list);
    assertThat(byReference.get("map")).isEqualTo(Map.of("list", List.of(1, 2)));
    StateDraft draft = byReference.draft();
    assertThat(draft.get("list")).isSameAs(list);
    draft.set("other", list);
    draft.commit();
    assertThat(byReference.get("other")).isSameAs(list);
  }

  @Test
  void builderMakesIndependentStates() {
    SessionState.Builder builder = SessionState.builder();
    SessionState copying = builder.build();
    SessionState keeping = builder.valuesByReference().build();
    List<Object> list = new ArrayList<>();

    copying.set("list", list);
    keeping.set("list", list);

    assertThat(copying.get("list")).isNotSameAs(list);
    assertThat(keeping.get("list")).isSameAs(list);
  }

  @Test
  void valuesOfADeltaAreCopiesInAStateThatKeepsReferences() {
    SessionState byReference = SessionState.builder().valuesByReference().build();
    List<Object> list = new ArrayList<>(List.of(1));
    byReference.apply(StateDelta.builder().set("list", list).set("ints", new int[] {1}).build());
    list.add(2);
    ((int[]) byReference.require("ints"))[0] = 9;

    assertThat(byReference.get("list")).isEqualTo(List.of(1));
    assertThat((int[]) byReference.require("ints")).containsExactly(1);
  }

  @Test
  void copiesTravelAsOrdinaryCollections() throws Exception {
    state.set("list", List.of(1, List.of(2)));
    state.set("set", Set.of(1));
    state.set("map", new HashMap<>(Map.of("k", List.of(1))));

    Map<String, Object> content = new HashMap<>(state.all().asMap());
    Object back = Serialized.copy((Serializable) content);

    assertThat(back).isEqualTo(content);
    assertThat(((Map<?, ?>) back).get("list")).isInstanceOf(ArrayList.class);
    assertThat(Serialized.copy((Serializable) state.all().asMap())).isEqualTo(content);
  }
}
