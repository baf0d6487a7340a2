package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stillframe.StillframeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** When a draft is refused, and what the refusal says. */
@ParameterizedClass
@EnumSource(StateKind.class)
class DraftConflictTest {
  private final SessionState state;

  DraftConflictTest(StateKind kind) {
    state = kind.create();
    state.asMap().putAll(Map.of("a", 1, "b", 1, "c", 1));
  }

  private void conflicts(
      Consumer<StateDraft> inDraft, Consumer<SessionState> meanwhile, String... keys) {
    StateDraft draft = state.draft();
    inDraft.accept(draft);
    draft.set("result", "stored");
    meanwhile.accept(state);
    StateSnapshot before = state.all();

    assertThatExceptionOfType(StateConflictException.class)
        .isThrownBy(draft::commit)
        .satisfies(e -> assertThat(e.keys()).containsExactly(keys))
        .withMessageContainingAll(keys)
        .isInstanceOf(StillframeException.class);
    assertThat(state.all()).isEqualTo(before);
    assertThat(state.contains("result")).isFalse();
  }

  private void commits(Consumer<StateDraft> inDraft, Consumer<SessionState> meanwhile) {
    StateDraft draft = state.draft();
    inDraft.accept(draft);
    draft.set("result", "stored");
    meanwhile.accept(state);
    draft.commit();
    assertThat(state.get("result")).isEqualTo("stored");
  }

  @Test
  void keyThatWasReadHasChanged() {
    conflicts(draft -> draft.get("a"), s -> s.set("a", 2), "a");
    conflicts(draft -> draft.contains("a"), s -> s.remove("a"), "a");
    conflicts(draft -> draft.asMap().get("b"), s -> s.set("b", 2), "b");
    conflicts(draft -> draft.getOrDefault("c", 0), s -> s.clear(), "c");
  }

  @Test
  void keyThatWasWrittenHasChanged() {
    conflicts(draft -> draft.set("a", 5), s -> s.set("a", 2), "a");
    conflicts(draft -> draft.remove("a"), s -> s.set("a", 3), "a");
    conflicts(draft -> draft.update("b", old -> 5), s -> s.remove("b"), "b");
    conflicts(
        draft -> draft.apply(StateDelta.builder().set("c", 5).build()), s -> s.set("c", 2), "c");
  }

  @Test
  void keyThatWasReadAsAbsentHasCome() {
    conflicts(draft -> draft.get("new"), s -> s.set("new", 2), "new");
    conflicts(draft -> draft.setIfAbsent("other", 1), s -> s.set("other", 2), "other");
    conflicts(draft -> draft.remove("third"), s -> s.set("third", 2), "third");
  }

  @Test
  void allKeysInConflictAreNamedSorted() {
    conflicts(
        draft -> List.of("c", "a", "b").forEach(draft::get),
        s -> List.of("b", "c").forEach(key -> s.set(key, 2)),
        "b",
        "c");
  }

  @Test
  void keysOfTheExceptionCannotBeChanged() {
    StateDraft draft = state.draft();
    draft.get("a");
    state.set("a", 2);

    assertThatExceptionOfType(StateConflictException.class)
        .isThrownBy(draft::commit)
        .satisfies(
            e ->
                assertThatThrownBy(() -> e.keys().clear())
                    .isInstanceOf(UnsupportedOperationException.class));
  }

  @Test
  void failedConditionalWritesHaveReadToo() {
    conflicts(draft -> draft.replace("a", 7, 8), s -> s.set("a", 7), "a");
    conflicts(draft -> draft.remove("b", 7), s -> s.set("b", 7), "b");
    conflicts(draft -> draft.computeIfAbsent("c", key -> 7), s -> s.remove("c"), "c");
  }

  @Test
  void wholeReadConflictsWithAKeyThatCame() {
    conflicts(draft -> draft.all(), s -> s.set("phantom1", 1), "phantom1");
    conflicts(draft -> draft.keys(), s -> s.set("phantom2", 1), "phantom2");
    conflicts(draft -> draft.size(), s -> s.set("phantom3", 1), "phantom3");
    conflicts(draft -> draft.asMap().forEach((k, v) -> {}), s -> s.set("phantom4", 1), "phantom4");
    conflicts(draft -> draft.asMap().values().iterator(), s -> s.set("phantom5", 1), "phantom5");
    conflicts(draft -> draft.asMap().isEmpty(), s -> s.set("phantom6", 1), "phantom6");
    conflicts(draft -> draft.asMap().containsValue(7), s -> s.set("phantom7", 7), "phantom7");
  }

  @Test
  void wholeReadConflictsWithAKeyThatChangedOrWent() {
    conflicts(draft -> draft.all(), s -> s.set("a", 2), "a");
    conflicts(draft -> draft.size(), s -> s.remove("b"), "b");
    conflicts(draft -> draft.clear(), s -> s.set("c", 2), "c");
    conflicts(draft -> draft.clear(), s -> s.set("phantom", 2), "phantom");
  }

  @Test
  void wholeReadWithoutAChangeCommits() {
    commits(draft -> draft.size(), s -> {});
    commits(draft -> draft.clear(), s -> {});
    assertThat(state.all().asMap()).isEqualTo(Map.of("result", "stored"));
  }

  @Test
  void wholeReadOfANestedDraftCountsForItsParent() {
    conflicts(
        draft -> {
          StateDraft inner = draft.draft();
          inner.set("count", inner.size());
          inner.commit();
        },
        s -> s.set("phantom", 1),
        "phantom");
  }

  @Test
  void deltaAndTextReadNothing() {
    commits(draft -> draft.delta(), s -> s.set("a", 2));
    commits(draft -> draft.base().asMap(), s -> s.set("a", 3));
    commits(draft -> draft.draft(), s -> s.set("a", 4));
    commits(draft -> assertThat(draft.toString()).contains("a=4"), s -> s.set("a", 5));
  }

  @Test
  void readInACommittedDraftDoesNotMatter() {
    StateDraft draft = state.draft();
    draft.set("result", 1);
    draft.commit();
    draft.get("a");
    draft.all();

    assertThat(draft.get("result")).isEqualTo(1);
  }

  @Test
  void valueThatIsBackIsNoConflict() {
    commits(
        draft -> draft.get("a"),
        s -> {
          s.set("a", 2);
          s.set("a", 1);
        });
    commits(
        draft -> draft.get("absent"),
        s -> {
          s.set("absent", 1);
          s.remove("absent");
        });
    commits(draft -> draft.get("b"), s -> s.set("b", Integer.valueOf("1")));
    commits(
        draft -> draft.size(),
        s -> {
          s.set("phantom", 1);
          s.remove("phantom");
        });
  }

  @Test
  void collectionsAreComparedByContent() {
    state.set("list", List.of(1, List.of(2)));
    conflicts(draft -> draft.get("list"), s -> s.set("list", List.of(1, List.of(3))), "list");
    commits(draft -> draft.get("list"), s -> s.set("list", List.of(1, List.of(3))));
  }

  @Test
  void refusedDraftCanBeUsedOn() {
    StateDraft draft = state.draft();
    draft.set("a", 5);
    state.set("a", 2);
    assertThatThrownBy(draft::commit).isInstanceOf(StateConflictException.class);

    draft.set("more", 1);
    assertThat(draft.get("a")).isEqualTo(5);
    assertThatThrownBy(draft::commit).isInstanceOf(StateConflictException.class);
    state.set("a", 1); // as it was in the base
    draft.commit();

    assertThat(state.get("a")).isEqualTo(5);
    assertThat(state.get("more")).isEqualTo(1);
  }

  @Test
  void twoDraftsThatReadWhatTheOtherWritesDoNotBothCommit() {
    StateDraft one = state.draft();
    StateDraft two = state.draft();
    one.set("a", (Integer) one.require("b") + 1);
    two.set("b", (Integer) two.require("a") + 1);
    one.commit();

    assertThatThrownBy(two::commit)
        .isInstanceOfSatisfying(
            StateConflictException.class, e -> assertThat(e.keys()).containsExactly("a"));
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 2, "b", 1, "c", 1));
  }

  @Test
  void whatWasReadDuringACommitThatFailsHasBeenRead() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    state.set("a", 3);
    RuntimeException refusal = new IllegalStateException("cannot be settled");
    assertThatThrownBy(
            () ->
                draft.commit(
                    (key, base, current, ours) -> {
                      draft.get("b");
                      throw refusal;
                    }))
        .isSameAs(refusal);
    state.set("a", 1);
    state.set("b", 2);

    assertThatThrownBy(draft::commit)
        .isInstanceOfSatisfying(
            StateConflictException.class, e -> assertThat(e.keys()).containsExactly("b"));
  }

  @Test
  void whatTheMergeReadsOfTheDraftIsSettledToo() {
    StateDraft draft = state.draft();
    draft.set("a", 2);
    state.set("a", 3);
    state.set("b", 7);
    List<String> settled = new ArrayList<>();
    draft.commit(
        (key, base, current, ours) -> {
          settled.add(key);
          return key.equals("a") ? draft.get("b") : current;
        });

    assertThat(settled).contains("a", "b");
    assertThat(state.all().asMap()).isEqualTo(Map.of("a", 1, "b", 7, "c", 1));
  }
}
