package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a draft reads, writes, says and lets nobody do. */
@ParameterizedClass
@EnumSource(StateKind.class)
class StateDraftTest {
  private final SessionState state;

  StateDraftTest(StateKind kind) {
    state = kind.create();
  }

  @Test
  void baseIsTheSnapshotOfTheStart() {
    state.set("a", 1);
    StateSnapshot start = state.all();
    StateDraft draft = state.draft();
    draft.set("a", 2);
    state.set("a", 3);

    assertThat(draft.base()).isEqualTo(start);
  }

  @Test
  void draftReadsItsOwnWritesInEveryWay() {
    state.asMap().putAll(Map.of("a", 1, "b", 2));
    StateDraft draft = state.draft();
    draft.set("a", 10);
    draft.remove("b");
    draft.update("c", old -> old == null ? 3 : 0);

    assertThat(draft.get("a")).isEqualTo(10);
    assertThat(draft.contains("b")).isFalse();
    assertThat(draft.size()).isEqualTo(2);
    assertThat(draft.keys()).containsExactlyInAnyOrder("a", "c");
    assertThat(draft.all().asMap()).isEqualTo(Map.of("a", 10, "c", 3));
    assertThat(draft.asMap()).isEqualTo(Map.of("a", 10, "c", 3));
    assertThat(draft.setIfAbsent("b", 4)).isNull();
    assertThat(draft.remove("a", 10)).isTrue();
    draft.clear();
    assertThat(draft.size()).isZero();
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1, "b", 2));
  }

  @Test
  void deltaSaysWhatACommitWouldChange() {
    state.asMap().putAll(Map.of("a", 1, "b", 2, "same", 3));
    StateDraft draft = state.draft();
    assertThat(draft.delta().isEmpty()).isTrue();
    draft.set("a", 10);
    draft.remove("b");
    draft.set("same", 3);
    draft.set("came", 1);
    draft.remove("came");
    draft.set("new", 4);

    assertThat(draft.delta())
        .isEqualTo(StateDelta.builder().set("a", 10).remove("b").set("new", 4).build());
    StateSnapshot base = draft.base();
    draft.commit();
    assertThat(state.all().deltaFrom(base)).isEqualTo(draft.delta());
  }

  @Test
  void emptyDraftCommitsNothing() {
    state.set("a", 1);
    StateDraft draft = state.draft();
    state.set("a", 2);

    draft.commit();

    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 2));
  }

  @Test
  void commitLeavesAloneWhatTheDraftDidNotTouch() {
    state.asMap().putAll(Map.of("mine", 1, "theirs", 1));
    StateDraft draft = state.draft();
    draft.set("mine", 2);
    state.set("theirs", 2);
    state.set("new", 2);

    draft.commit();

    assertThat(state.all().asMap()).isEqualTo(Map.of("mine", 2, "theirs", 2, "new", 2));
  }

  @Test
  void commitCanStoreEveryKindOfChange() {
    state.asMap().putAll(Map.of("replaced", 1, "removed", 1, "untouched", 1));
    StateDraft draft = state.draft();
    draft.apply(StateDelta.builder().set("replaced", List.of(2)).remove("removed").build());
    draft.setIfAbsent("added", new int[] {3});
    draft.commit();

    assertThat(state.keys()).containsExactlyInAnyOrder("replaced", "untouched", "added");
    assertThat(state.get("replaced")).isEqualTo(List.of(2));
    assertThat((int[]) state.require("added")).containsExactly(3);
  }

  @Test
  void committedDraftRefusesEveryWrite() {
    StateDraft draft = state.draft();
    draft.set("a", 1);
    draft.commit();
    state.set("a", 2);

    List<Consumer<StateDraft>> writes =
        List.of(
            d -> d.set("a", 3),
            d -> d.setIfAbsent("b", 3),
            d -> d.replace("a", 1, 3),
            d -> d.update("a", old -> 3),
            d -> d.remove("a"),
            d -> d.remove("a", 1),
            d -> d.clear(),
            d -> d.apply(StateDelta.builder().set("a", 3).build()),
            d -> d.asMap().put("a", 3),
            d -> d.commit(),
            d -> d.commit((key, base, current, mine) -> mine));
    for (Consumer<StateDraft> write : writes) {
      assertThatIllegalStateException()
          .isThrownBy(() -> write.accept(draft))
          .withMessageContaining("committed");
    }
    assertThat(draft.all().asMap()).isEqualTo(Map.of("a", 1));
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 2));
  }

  @Test
  void droppedDraftLeavesNothingInTheState() {
    state.draft().set("a", 1);
    state.draft().clear();

    assertThat(state.size()).isZero();
  }

  @Test
  void draftsOfOneStateAreIsolatedFromEachOther() {
    StateDraft one = state.draft();
    StateDraft two = state.draft();
    one.set("one", 1);
    two.set("two", 2);

    assertThat(one).hasToString("{one=1}"); // looking a key up would make it a read
    one.commit();
    assertThat(two).hasToString("{two=2}");
    two.commit();
    assertThat(state.all().asMap()).isEqualTo(Map.of("one", 1, "two", 2));
  }

  @Test
  void nestedDraftThatConflictsLeavesItsParentAsItWas() {
    state.set("a", 1);
    StateDraft outer = state.draft();
    StateDraft inner = outer.draft();
    inner.update("a", old -> (Integer) old + 1);
    inner.set("b", 1);
    outer.set("a", 5);

    assertThatThrownBy(inner::commit)
        .isInstanceOfSatisfying(
            StateConflictException.class, e -> assertThat(e.keys()).containsExactly("a"));
    assertThat(outer.all().asMap()).isEqualTo(Map.of("a", 5));
    outer.commit();
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 5));
  }

  @Test
  void whatANestedDraftReadCountsForItsParent() {
    state.set("read", 1);
    StateDraft outer = state.draft();
    StateDraft inner = outer.draft();
    inner.set("copy", inner.require("read"));
    inner.commit();
    state.set("read", 2);

    assertThatThrownBy(outer::commit)
        .isInstanceOfSatisfying(
            StateConflictException.class, e -> assertThat(e.keys()).containsExactly("read"));
    assertThat(state.contains("copy")).isFalse();
  }

  @Test
  void whatADroppedNestedDraftReadDoesNotCount() {
    state.set("read", 1);
    StateDraft outer = state.draft();
    outer.draft().get("read");
    outer.set("a", 1);
    state.set("read", 2);

    outer.commit();

    assertThat(state.all().asMap()).isEqualTo(Map.of("read", 2, "a", 1));
  }

  @Test
  void nestedDraftOfACommittedDraftCannotBeCommitted() {
    StateDraft outer = state.draft();
    StateDraft inner = outer.draft();
    inner.set("a", 1);
    outer.commit();

    assertThatIllegalStateException().isThrownBy(inner::commit);
    assertThat(state.size()).isZero();
    inner.set("b", 1); // which shows that the draft is still open
    assertThat(inner.size()).isEqualTo(2);
  }

  @Test
  void chainOfNestedDraftsCommitsLevelByLevel() {
    StateDraft one = state.draft();
    StateDraft two = one.draft();
    StateDraft three = two.draft();
    three.set("a", 3);
    three.commit();
    assertThat(one.contains("a")).isFalse();
    two.commit();
    assertThat(one.get("a")).isEqualTo(3);
    one.commit();

    assertThat(state.get("a")).isEqualTo(3);
  }

  @Test
  void nullsAreRefusedAndTheDraftStaysOpen() {
    StateDraft draft = state.draft();

    assertThatNullPointerException().isThrownBy(() -> draft.set("a", null));
    assertThatNullPointerException().isThrownBy(() -> draft.commit(null));
    draft.set("a", 1);
    draft.commit();
    assertThat(state.get("a")).isEqualTo(1);
  }
}
