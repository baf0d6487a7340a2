package dev.stillframe.state;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck looks for an execution over two states that share keys, as two sessions of one user and
 * of one app do, whose results no order of the operations explains.
 */
@Tag("lincheck")
@Param(name = "state", gen = IntGen.class, conf = "0:1")
@Param(name = "key", gen = IntGen.class, conf = "0:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class StateFamilyLincheckTest {
  private static final List<String> KEYS = List.of("app:k", "user:k", "k");

  private final StateFamily family = StateFamily.create();
  private final SessionState app = family.newState();
  private final SessionState user = family.newState();
  private final List<SessionState> states = List.of(newState(), newState());

  private SessionState newState() {
    return family.scoped(family.newState()).share("app:", app).share("user:", user).build();
  }

  @Operation
  public @Nullable Object get(@Param(name = "state") int state, @Param(name = "key") int key) {
    return states.get(state).get(KEYS.get(key));
  }

  @Operation
  public @Nullable Object set(
      @Param(name = "state") int state,
      @Param(name = "key") int key,
      @Param(name = "value") int value) {
    return states.get(state).set(KEYS.get(key), value);
  }

  @Operation
  public @Nullable Object increment(
      @Param(name = "state") int state, @Param(name = "key") int key) {
    return states.get(state).update(KEYS.get(key), old -> old == null ? 1 : (Integer) old + 1);
  }

  @Operation
  public @Nullable Object remove(@Param(name = "state") int state, @Param(name = "key") int key) {
    return states.get(state).remove(KEYS.get(key));
  }

  @Operation
  public void applyEverywhere(@Param(name = "state") int state, @Param(name = "value") int value) {
    states
        .get(state)
        .apply(
            StateDelta.builder().set("k", value).set("user:k", value).set("app:k", value).build());
  }

  @Operation
  public void applyMove(@Param(name = "state") int state, @Param(name = "value") int value) {
    states.get(state).apply(StateDelta.builder().set("k", value).remove("app:k").build());
  }

  /** To both states, as an append is to log and state; tells what was there. */
  @Operation
  public String exchangeInBoth(@Param(name = "value") int value) {
    Map<SessionState, StateDelta> before =
        family.exchange(
            Map.of(
                states.get(0), StateDelta.builder().set("k", value).remove("user:k").build(),
                states.get(1), StateDelta.builder().set("k", value).build()));
    return before.get(states.get(0)).asMap() + " " + before.get(states.get(1)).asMap();
  }

  @Operation
  public boolean applyIfUnchanged(@Param(name = "value") int value) {
    SessionState first = states.get(0);
    for (; ; ) {
      StateSnapshot since = first.all();
      if (since.contains("user:k")) {
        return false;
      }
      if (family.applyIfUnchanged(
          Map.of(first, since), Map.of(first, StateDelta.builder().set("user:k", value).build()))) {
        return true;
      }
    }
  }

  @Operation
  public Map<String, Object> all(@Param(name = "state") int state) {
    return new TreeMap<>(states.get(state).all().asMap());
  }

  @Operation
  public List<Map<String, Object>> allOfBoth() {
    return family.all(states.get(0), states.get(1)).stream()
        .<Map<String, Object>>map(snapshot -> new TreeMap<>(snapshot.asMap()))
        .toList();
  }

  @Operation
  public void clear(@Param(name = "state") int state) {
    states.get(state).clear();
  }

  /** A draft that reads and writes keys of two scopes. */
  @Operation
  public void swap(@Param(name = "state") int state) {
    inDraft(
        states.get(state),
        draft -> {
          Object own = draft.remove("k");
          Object shared = draft.remove("user:k");
          if (shared != null) {
            draft.set("k", shared);
          }
          if (own != null) {
            draft.set("user:k", own);
          }
        });
  }

  /** A draft that looks at the whole state, absent keys included. */
  @Operation
  public void setIfEmpty(@Param(name = "state") int state, @Param(name = "key") int key) {
    inDraft(
        states.get(state),
        draft -> {
          if (draft.size() == 0) {
            draft.set(KEYS.get(key), 0);
          }
        });
  }

  private static void inDraft(SessionState state, Consumer<SessionState> body) {
    for (; ; ) {
      StateDraft draft = state.draft();
      body.accept(draft);
      try {
        draft.commit();
        return;
      } catch (StateConflictException e) {
        // Somebody else was first; start over with what is there now.
      }
    }
  }

  /** Fewer invocations than of a single state: each has many more steps. */
  private static ModelCheckingOptions modelChecking() {
    return SessionStateLincheckTest.modelChecking().invocationsPerIteration(150);
  }

  @Test
  void modelCheckingWithTwoThreads() {
    modelChecking().threads(2).actorsPerThread(3).check(getClass());
  }

  @Test
  void modelCheckingWithThreeThreads() {
    modelChecking().threads(3).actorsPerThread(2).check(getClass());
  }

  @Test
  void stressWithTwoThreads() {
    SessionStateLincheckTest.stress().threads(2).actorsPerThread(3).check(getClass());
  }
}
