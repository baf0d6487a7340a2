package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Committing with a merge function per key. */
@ParameterizedClass
@EnumSource(StateKind.class)
class DraftMergeTest {
  private final StateKind kind;
  private final SessionState state;

  DraftMergeTest(StateKind kind) {
    this.kind = kind;
    state = kind.create();
    state.asMap().putAll(Map.of("a", 1, "b", 1, "c", 1));
  }

  @Test
  void mergeIsAskedOnlyForWhatHasChanged() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    draft.get("b");
    state.set("c", 3);

    draft.commit((key, base, current, mine) -> fail("nothing to settle: " + key));

    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 2, "b", 1, "c", 3));
  }

  @Test
  void mergeIsToldBaseCurrentAndDraft() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    draft.remove("b");
    draft.get("c");
    draft.setIfAbsent("new", 2);
    state.set("a", 3);
    state.set("b", 3);
    state.remove("c");
    state.set("new", 3);
    Map<String, List<Object>> asked = new TreeMap<>();

    draft.commit(
        (key, base, current, mine) -> {
          asked.put(key, Arrays.asList(base, current, mine));
          return "settled " + key;
        });

    assertThat(asked)
        .isEqualTo(
            Map.of(
                "a", List.of(1, 3, 2),
                "b", Arrays.asList(1, 3, null),
                "c", Arrays.asList(1, null, 1),
                "new", Arrays.asList(null, 3, 2)));
    assertThat(state.all().asMap())
        .isEqualTo(
            Map.of("a", "settled a", "b", "settled b", "c", "settled c", "new", "settled new"));
  }

  @Test
  void mergeToNullRemoves() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    draft.set("b", 2);
    state.set("a", 3);
    state.remove("b");

    draft.commit((key, base, current, mine) -> null);

    assertThat(state.all().asMap()).isEqualTo(Map.of("c", 1));
  }

  @Test
  void mergeMayKeepWhatOthersWrote() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    draft.set("b", 2);
    state.set("a", List.of(3));

    draft.commit((key, base, current, mine) -> current);

    assertThat(state.all().asMap()).isEqualTo(Map.of("a", List.of(3), "b", 2, "c", 1));
  }

  @Test
  void mergeThatThrowsStoresNothingAndLeavesTheDraftOpen() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    draft.set("b", 2);
    state.set("b", 3);
    IllegalArgumentException failure = new IllegalArgumentException("cannot settle");

    assertThatThrownBy(
            () ->
                draft.commit(
                    (key, base, current, mine) -> {
                      throw failure;
                    }))
        .isSameAs(failure);

    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1, "b", 3, "c", 1));
    draft.set("c", 2);
    draft.commit((key, base, current, mine) -> mine);
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 2, "b", 2, "c", 2));
  }

  @Test
  void mergeToAValueThatCannotBeStoredLeavesTheDraftOpen() {
    if (kind.copiesValues()) {
      StateDraft draft = state.draft();
      draft.set("a", 2);
      state.set("a", 3);
      List<Object> selfContaining = new ArrayList<>();
      selfContaining.add(selfContaining);

      assertThatThrownBy(() -> draft.commit((key, base, current, mine) -> selfContaining))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(state.get("a")).isEqualTo(3);
      draft.commit((key, base, current, mine) -> mine);
      assertThat(state.get("a")).isEqualTo(2);
    }
  }

  @Test
  void mergeRunsAgainIfTheKeyChangesMeanwhile() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    state.set("a", 10);
    List<Object> currents = new ArrayList<>();

    draft.commit(
        (key, base, current, mine) -> {
          currents.add(current);
          if (currents.size() <= 2) {
            state.update("a", old -> (Integer) old + 1);
          }
          return "after " + current;
        });

    assertThat(currents).containsExactly(10, 11, 12);
    assertThat(state.get("a")).isEqualTo("after 12");
  }

  @Test
  void mergeMayReadTheDraftButNotWriteOrCommitIt() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    state.set("a", 3);

    draft.commit(
        (key, base, current, mine) -> {
          assertThat(draft.get("a")).isEqualTo(2);
          assertThatIllegalStateException().isThrownBy(() -> draft.set("b", 5));
          assertThatIllegalStateException().isThrownBy(draft::commit);
          return (Integer) current + (Integer) mine;
        });

    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 5, "b", 1, "c", 1));
  }

  @Test
  void mergeSettlesAWholeReadToo() {
    StateDraft draft = state.draft();
    draft.set("count", draft.size());
    state.set("phantom", 5);
    state.remove("b");
    Map<String, Object> asked = new TreeMap<>();

    draft.commit(
        (key, base, current, mine) -> {
          asked.put(key, Arrays.asList(base, current, mine));
          return current;
        });

    assertThat(asked)
        .isEqualTo(Map.of("phantom", Arrays.asList(null, 5, null), "b", Arrays.asList(1, null, 1)));
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1, "c", 1, "count", 3, "phantom", 5));
  }

  @Test
  void mergedDraftIsClosed() {
    StateDraft draft = state.draft();
    AtomicInteger asked = new AtomicInteger();
    draft.set("a", 2);
    state.set("a", 3);
    draft.commit((key, base, current, mine) -> asked.incrementAndGet());

    assertThatIllegalStateException()
        .isThrownBy(() -> draft.commit((key, base, current, mine) -> asked.incrementAndGet()));
    assertThat(state.get("a")).isEqualTo(1);
    assertThat(asked).hasValue(1);
  }

  @Test
  void arraysThatAMergeIsGivenAreCopies() {
    if (kind.copiesValues()) {
      state.set("ints", new int[] {1});
      StateDraft draft = state.draft();
      draft.set("ints", new int[] {2});
      state.set("ints", new int[] {3});

      assertThatThrownBy(
              () ->
                  draft.commit(
                      (key, base, current, mine) -> {
                        ((int[]) base)[0] = 9;
                        ((int[]) current)[0] = 9;
                        ((int[]) mine)[0] = 9;
                        throw new IllegalStateException("thought better of it");
                      }))
          .isInstanceOf(IllegalStateException.class);

      assertThat((int[]) state.require("ints")).containsExactly(3);
      assertThat((int[]) draft.require("ints")).containsExactly(2);
      assertThat((int[]) draft.base().get("ints")).containsExactly(1);
    }
  }
}
