package dev.stillframe.state;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck looks for an execution of the operations below, by two or three threads, whose results
 * no order of the operations explains.
 */
@Tag("lincheck")
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class SessionStateLincheckTest {
  private static final int ITERATIONS = Integer.getInteger("stillframe.lincheck.iterations", 5);

  private final SessionState state = SessionState.create();

  private static String name(int key) {
    return "k" + key;
  }

  @Operation
  public @Nullable Object get(@Param(name = "key") int key) {
    return state.get(name(key));
  }

  @Operation
  public @Nullable Object set(@Param(name = "key") int key, @Param(name = "value") int value) {
    return state.set(name(key), value);
  }

  @Operation
  public @Nullable Object setIfAbsent(
      @Param(name = "key") int key, @Param(name = "value") int value) {
    return state.setIfAbsent(name(key), value);
  }

  @Operation
  public boolean replace(
      @Param(name = "key") int key,
      @Param(name = "value") int expected,
      @Param(name = "value") int value) {
    return state.replace(name(key), expected, value);
  }

  @Operation
  public @Nullable Object increment(@Param(name = "key") int key) {
    return state.update(name(key), old -> old == null ? 1 : (Integer) old + 1);
  }

  @Operation
  public @Nullable Object remove(@Param(name = "key") int key) {
    return state.remove(name(key));
  }

  @Operation
  public void applyPair(@Param(name = "value") int value) {
    state.apply(StateDelta.builder().set(name(1), value).set(name(2), value).build());
  }

  @Operation
  public void applyMove(@Param(name = "value") int value) {
    state.apply(StateDelta.builder().set(name(1), value).remove(name(2)).build());
  }

  @Operation
  public void clear() {
    state.clear();
  }

  @Operation
  public Map<String, Object> all() {
    return new TreeMap<>(state.all().asMap());
  }

  @Operation
  public int size() {
    return state.size();
  }

  /** A draft that reads and writes two keys. */
  @Operation
  public void swap() {
    inDraft(
        draft -> {
          Object first = draft.remove(name(1));
          Object second = draft.remove(name(2));
          if (second != null) {
            draft.set(name(1), second);
          }
          if (first != null) {
            draft.set(name(2), first);
          }
        });
  }

  /** A draft that looks at the whole state, absent keys included. */
  @Operation
  public void setIfEmpty(@Param(name = "key") int key, @Param(name = "value") int value) {
    inDraft(
        draft -> {
          if (draft.size() == 0) {
            draft.set(name(key), value);
          }
        });
  }

  private void inDraft(Consumer<SessionState> body) {
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
    stress().threads(2).actorsPerThread(3).check(getClass());
  }

  public static StressOptions stress() {
    return new StressOptions()
        .actorsBefore(2)
        .actorsAfter(1)
        .iterations(ITERATIONS)
        .invocationsPerIteration(2_000);
  }

  /** The JDK's maps and lists are taken at their word; what is checked is what is built on them. */
  public static ModelCheckingOptions modelChecking() {
    return new ModelCheckingOptions()
        .actorsBefore(2)
        .actorsAfter(1)
        .iterations(ITERATIONS)
        .invocationsPerIteration(500)
        .addGuarantee(
            forClasses("java.util.concurrent.ConcurrentHashMap")
                .methods("get", "putIfAbsent", "remove", "size", "isEmpty", "put")
                .treatAsAtomic())
        .addGuarantee(
            forClasses("java.util.concurrent.ConcurrentHashMap$Traverser")
                .allMethods()
                .treatAsAtomic())
        .addGuarantee(
            forClasses(
                    "java.util.ArrayList",
                    "java.util.HashMap",
                    "java.util.HashSet",
                    "java.util.LinkedHashMap",
                    "java.util.TreeMap",
                    "java.util.TreeSet")
                .allMethods()
                .ignore());
  }
}
