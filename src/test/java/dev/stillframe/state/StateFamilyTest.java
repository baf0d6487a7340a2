package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** States that share keys, and are looked at and changed together. */
@Timeout(60)
class StateFamilyTest {
  private final StateFamily family = StateFamily.create();
  private final SessionState app = family.newState();
  private final SessionState first = newState();
  private final SessionState second = newState();

  private SessionState newState() {
    return family.scoped(family.newState()).share("app:", app).build();
  }

  private static StateDelta both(Object value) {
    return StateDelta.builder().set("app:x", value).set("x", value).build();
  }

  @Test
  void keyWithThePrefixIsSharedAndAnyOtherIsNot() {
    first.apply(both(1));

    assertThat(second.all().asMap()).isEqualTo(Map.of("app:x", 1));
    assertThat(second.get("x")).isNull();
    assertThat(app.all().asMap()).isEqualTo(Map.of("app:x", 1));
  }

  @Test
  void firstPrefixThatFitsCounts() {
    SessionState long_ = family.newState();
    SessionState short_ = family.newState();
    SessionState state =
        family.scoped(family.newState()).share("a:b:", long_).share("a:", short_).build();
    state.set("a:b:c", 1);
    state.set("a:c", 2);

    assertThat(long_.all().asMap()).isEqualTo(Map.of("a:b:c", 1));
    assertThat(short_.all().asMap()).isEqualTo(Map.of("a:c", 2));
    assertThat(state.size()).isEqualTo(2);
  }

  @Test
  void barePrefixIsRefusedAndNothingChanges() {
    StateDelta bad = StateDelta.builder().set("x", 1).set("app:", 1).build();

    assertThatThrownBy(() -> first.apply(bad))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'app:'");
    assertThatThrownBy(() -> family.apply(Map.of(second, both(1), first, bad)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(first.size()).isZero();
    assertThat(second.size()).isZero();
  }

  @Test
  void keysThatASharedStateHoldsWithoutThePrefixAreNotShown() {
    app.set("y", 1);
    app.set("app:", 1);
    app.set("app:y", 1);

    assertThat(first.all().asMap()).isEqualTo(Map.of("app:y", 1));
    assertThat(first.keys()).containsExactly("app:y");
    first.clear();
    assertThat(app.all().asMap()).isEqualTo(Map.of("y", 1, "app:", 1));
  }

  @Test
  void unchangedSnapshotIsNotCopied() {
    first.apply(both(1));
    StateSnapshot all = first.all();

    assertThat(first.all()).isSameAs(all);
    second.set("x", 1);
    assertThat(first.all()).isSameAs(all);
    second.all();
    assertThat(first.all()).isSameAs(all);
    second.set("app:x", 2);
    assertThat(first.all().asMap()).isEqualTo(Map.of("app:x", 2, "x", 1));
    assertThat(all.asMap()).isEqualTo(Map.of("app:x", 1, "x", 1));
  }

  @Test
  void laterSnapshotHasAHigherVersion() {
    long version = first.all().version();
    for (int i = 0; i < 10; i++) {
      second.all();
      if (i % 2 == 0) {
        first.set("x", i);
      } else {
        second.set("app:x", i);
      }
      long later = first.all().version();
      assertThat(later).isGreaterThan(version);
      version = later;
    }
  }

  @Test
  void changesToSeveralStatesAreSeenAtOneInstant() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    new Storm()
        .once(
            2,
            thread -> {
              for (int i = 0; i < 2_000; i++) {
                int value = i * 2 + thread;
                family.apply(Map.of(first, both(value), second, StateDelta.of("x", value)));
              }
              over.set(true);
            })
        .repeat(
            1,
            thread -> {
              List<StateSnapshot> all = family.all(second, first);
              assertThat(all.get(0).get("x")).isEqualTo(all.get(1).get("x"));
              assertThat(all.get(0).get("app:x")).isEqualTo(all.get(1).get("x"));
            })
        .run();

    assertThat(over).isTrue();
  }

  @Test
  void exchangeReturnsWhatTakesItBack() {
    first.apply(both(1));
    second.set("y", 1);
    Map<SessionState, StateDelta> back =
        family.exchange(
            Map.of(
                first, StateDelta.builder().set("x", 2).remove("app:x").set("z", 2).build(),
                second, StateDelta.builder().remove("y").build()));

    assertThat(back.get(first))
        .isEqualTo(StateDelta.builder().set("x", 1).set("app:x", 1).remove("z").build());
    family.apply(back);
    assertThat(first.all().asMap()).isEqualTo(Map.of("x", 1, "app:x", 1));
    assertThat(second.all().asMap()).isEqualTo(Map.of("y", 1, "app:x", 1));
  }

  @Test
  void changeIsNotMadeIfAKeyWasWrittenSince() {
    first.apply(both(1));
    Map<SessionState, StateSnapshot> since = Map.of(first, first.all());

    second.set("app:y", 1);
    assertThat(family.applyIfUnchanged(since, Map.of(first, both(2)))).isTrue();
    assertThat(family.applyIfUnchanged(since, Map.of(first, both(3)))).isFalse();
    assertThat(first.get("x")).isEqualTo(2);
    assertThatThrownBy(() -> family.applyIfUnchanged(Map.of(), Map.of(first, both(3))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oneKeyIsNotChangedTwiceAtAnInstant() {
    assertThatThrownBy(() -> family.apply(Map.of(first, both(1), second, both(2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'app:x'");
    assertThat(first.size()).isZero();
  }

  @Test
  void statesOfAnotherFamilyAreRefused() {
    StateFamily other = StateFamily.create();
    SessionState stranger = other.newState();
    SessionState view = other.scoped(stranger).build();
    for (SessionState state : List.of(stranger, view, SessionState.create(), first.draft())) {
      assertThatThrownBy(() -> family.apply(Map.of(state, both(1))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> family.all(state)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> family.scoped(state)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> family.scoped(app).share("", app))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> family.scoped(app).share("a", app).share("a", first))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void guardRunsBeforeEveryOperation() {
    AtomicInteger checks = new AtomicInteger();
    AtomicBoolean closed = new AtomicBoolean();
    SessionState own = family.newState();
    SessionState guarded =
        family
            .scoped(own)
            .guard(
                () -> {
                  checks.incrementAndGet();
                  if (closed.get()) {
                    throw new IllegalStateException("closed");
                  }
                })
            .build();
    guarded.set("k", 1);
    StateDraft draft = guarded.draft();
    draft.set("k", 2);
    closed.set(true);
    int before = checks.get();

    for (Runnable use :
        List.<Runnable>of(
            () -> guarded.get("k"),
            () -> guarded.set("k", 3),
            () -> guarded.remove("k"),
            () -> guarded.all(),
            () -> guarded.clear(),
            () -> guarded.update("k", old -> 3),
            () -> guarded.apply(both(3)),
            () -> guarded.asMap().put("k", 3),
            draft::commit)) {
      assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class).hasMessage("closed");
    }
    assertThat(checks.get()).isEqualTo(before + 9);
    assertThat(own.all().asMap()).isEqualTo(Map.of("k", 1));
  }

  @Test
  void statesThatGrowAndShrinkKeepTheirKeys() {
    Map<String, Object> expected = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      first.apply(StateDelta.builder().set("app:" + i, i).set("k" + i, i).build());
    }
    for (int i = 0; i < 1_000; i++) {
      if (i % 100 == 0) {
        expected.put("app:" + i, i);
        expected.put("k" + i, i);
      } else {
        first.apply(StateDelta.builder().remove("app:" + i).remove("k" + i).build());
      }
    }

    assertThat(first.all().asMap()).isEqualTo(expected);
    assertThat(first.all().asMap()).isEqualTo(expected);
    assertThat(second.size()).isEqualTo(10);
    first.clear();
    assertThat(first.size()).isZero();
    assertThat(second.size()).isZero();
  }

  /** Fails if a clear can be kept waiting for ever by writers of the same keys. */
  @Test
  void clearComesThroughAmidWritersOfTheSameKeys() throws Exception {
    new Storm()
        .once(
            1,
            thread -> {
              for (int i = 0; i < 50; i++) {
                first.clear();
              }
            })
        .repeat(2, thread -> first.set("k" + thread, thread))
        .repeat(1, thread -> second.set("app:k", thread))
        .run();
  }
}
