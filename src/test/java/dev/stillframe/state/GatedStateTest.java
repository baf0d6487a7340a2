package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What a gate sees. That a gated state is a state is shown by the contract of a trace's space. */
class GatedStateTest {
  private final SessionState inner = SessionState.create();
  private final List<Map<String, Object>> passed = new ArrayList<>();
  private final SessionState state =
      SessionState.gated(
          inner,
          write -> {
            StateDelta changes = write.changes();
            boolean made = write.make();
            if (made) {
              passed.add(changes.asMap());
            }
            return made;
          });

  @Test
  void gateSeesEveryChange() {
    state.set("a", 1);
    state.setIfAbsent("a", 2);
    state.setIfAbsent("b", 2);
    state.update("b", old -> (Integer) old + 1);
    state.remove("a");
    state.apply(StateDelta.builder().set("x", 1).remove("b").build());
    StateDraft draft = state.draft();
    draft.get("x");
    draft.set("y", 2);
    draft.commit();
    inner.set("z", 9);
    state.clear();

    assertThat(passed.stream().map(StateDelta::fromMap).map(StateDelta::toString))
        .containsExactly(
            "{a=1}",
            "{b=2}",
            "{b=3}",
            "{a=null}",
            "{b=null, x=1}",
            "{y=2}",
            "{x=null, y=null, z=null}");
    assertThat(inner.size()).isZero();
  }

  @Test
  void writeWhoseBasisHasChangedIsWorkedOutAnew() {
    inner.set("n", 1);
    int[] attempts = new int[1];
    SessionState busy =
        SessionState.gated(
            inner,
            write -> {
              if (attempts[0]++ < 3) {
                inner.update("n", old -> (Integer) old + 10);
              }
              return write.make();
            });

    assertThat(busy.update("n", old -> (Integer) old + 1)).isEqualTo(32);
    assertThat(attempts[0]).isEqualTo(4);
  }

  @Test
  void gateThatThrowsRefuses() {
    SessionState closed =
        SessionState.gated(
            inner,
            write -> {
              throw new IllegalStateException("closed");
            });
    inner.set("a", 1);

    assertThatIllegalStateException().isThrownBy(() -> closed.set("a", 2)).withMessage("closed");
    StateDraft draft = closed.draft();
    draft.set("a", 3);
    assertThatIllegalStateException().isThrownBy(draft::commit).withMessage("closed");
    assertThatIllegalStateException().isThrownBy(closed::clear).withMessage("closed");
    assertThat(closed.get("a")).isEqualTo(1);
    assertThat(draft.set("a", 4)).as("the draft can be used on").isEqualTo(3);
  }

  @Test
  void otherStatesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                SessionState.gated(
                    SessionState.over(new ConcurrentHashMap<>()), WriteGate.Write::make))
        .withMessageContaining("MapBackedState");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionState.gated(inner.draft(), WriteGate.Write::make));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionState.gated(state, WriteGate.Write::make));
  }
}
