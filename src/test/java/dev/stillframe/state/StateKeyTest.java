package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateKeyTest {

  @Test
  void keysWithTheSameNameAndTypeAreEqual() {
    assertThat(StateKey.of("a", String.class))
        .isEqualTo(new StateKey<>("a", String.class))
        .isNotEqualTo(StateKey.of("b", String.class))
        .isNotEqualTo(StateKey.of("a", Object.class));
  }

  @Test
  void primitiveTypeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StateKey.of("attempts", int.class))
        .withMessageContainingAll("'attempts'", "int");
  }

  @Test
  void nullNameOrTypeIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> StateKey.of(null, String.class));
    assertThatNullPointerException().isThrownBy(() -> StateKey.of("a", null));
  }

  @Test
  void typeMayBeAnInterfaceThatTheStoredCopyImplements() {
    SessionState state = SessionState.create();
    state.set("list", List.of(1));
    state.set("map", Map.of("k", 1));

    assertThat(state.require(StateKey.of("list", List.class))).isEqualTo(List.of(1));
    assertThat(state.require(StateKey.of("map", Map.class))).isEqualTo(Map.of("k", 1));
    assertThat(state.require(StateKey.of("map", Object.class))).isEqualTo(Map.of("k", 1));
  }
}
