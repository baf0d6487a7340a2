package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The outline of a draft of any state; {@link StateDraftTest} has the particulars. */
interface DraftContract extends StateContract {

  @Test
  default void draftIsIsolatedUntilItIsCommitted() {
    state().set("a", 1);
    state().set("b", 2);

    StateDraft draft = state().draft();
    draft.set("a", 10);
    draft.remove("b");
    draft.set("c", 3);

    assertThat(draft.all().asMap()).isEqualTo(Map.of("a", 10, "c", 3));
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 1, "b", 2));
    draft.commit();
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 10, "c", 3));
  }

  @Test
  default void draftReadsItsBaseWhateverHappensOutside() {
    state().set("a", 1);
    StateDraft draft = state().draft();

    state().set("a", 2);
    state().set("b", 3);

    assertThat(draft.get("a")).isEqualTo(1);
    assertThat(draft.contains("b")).isFalse();
    assertThat(draft.base().asMap()).isEqualTo(Map.of("a", 1));
  }

  @Test
  default void conflictingDraftStoresNothingAndNamesTheKeys() {
    state().set("read", 1);
    state().set("written", 1);
    StateDraft draft = state().draft();
    draft.get("read");
    draft.set("written", 2);
    draft.set("other", 2);
    state().set("read", 5);
    state().set("written", 5);

    assertThatExceptionOfType(StateConflictException.class)
        .isThrownBy(draft::commit)
        .withMessageContainingAll("read", "written")
        .satisfies(e -> assertThat(e.keys()).containsExactly("read", "written"));
    assertThat(state().all().asMap()).isEqualTo(Map.of("read", 5, "written", 5));
  }

  @Test
  default void mergeSettlesWhatHasChanged() {
    state().set("n", 1);
    StateDraft draft = state().draft();
    draft.update("n", old -> (Integer) old + 10);
    state().update("n", old -> (Integer) old + 100);

    draft.commit((key, base, current, mine) -> (Integer) current + (Integer) mine - (Integer) base);

    assertThat(state().get("n")).isEqualTo(111);
  }

  @Test
  default void committedDraftCanBeReadButNotWritten() {
    StateDraft draft = state().draft();
    draft.set("a", 1);
    draft.commit();

    assertThat(draft.get("a")).isEqualTo(1);
    assertThat(draft.all().asMap()).isEqualTo(Map.of("a", 1));
    assertThatIllegalStateException().isThrownBy(() -> draft.set("a", 2));
    assertThatIllegalStateException().isThrownBy(draft::commit);
    assertThat(state().get("a")).isEqualTo(1);
  }

  @Test
  default void draftOfADraftCommitsIntoIt() {
    StateDraft outer = state().draft();
    outer.set("a", 1);
    StateDraft inner = outer.draft();
    inner.update("a", old -> (Integer) old + 1);

    assertThat(outer.get("a")).isEqualTo(1);
    inner.commit();
    assertThat(outer.get("a")).isEqualTo(2);
    assertThat(state().size()).isZero();
    outer.commit();
    assertThat(state().all().asMap()).isEqualTo(Map.of("a", 2));
  }
}
