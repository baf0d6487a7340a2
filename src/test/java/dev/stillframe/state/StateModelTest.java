package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever one thread does to a state, it behaves as an ordinary map would. */
class StateModelTest {

  @ParameterizedTest
  @EnumSource
  void stateBehavesAsAMap(StateKind kind) {
    for (int seed = 0; seed < 40; seed++) {
      SessionState state = kind.create();
      TreeMap<String, Object> model = new TreeMap<>();
      RandomOperations operations = new RandomOperations(new Random(seed));
      for (int step = 0; step < 250; step++) {
        RandomOperations.Outcome outcome = operations.next(state, model);

        assertThat(outcome.ofState())
            .as("seed %d, step %d: %s", seed, step, outcome.operation())
            .isEqualTo(outcome.ofModel());
        assertThat(state.all().asMap())
            .as("content after seed %d, step %d: %s", seed, step, outcome.operation())
            .isEqualTo(model);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void stateThatGrowsAndShrinksBehavesAsAMap(StateKind kind) {
    SessionState state = kind.create();
    TreeMap<String, Object> model = new TreeMap<>();
    Random random = new Random(7);
    for (int wave = 0; wave < 6; wave++) {
      for (int i = 0; i < 2_000; i++) {
        String key = "k" + random.nextInt(1_000);
        assertThat(state.set(key, i)).isEqualTo(model.put(key, i));
      }
      assertThat(state.all().asMap()).isEqualTo(model);
      for (int i = 0; i < 1_000; i++) {
        if (i % 100 != wave) {
          assertThat(state.remove("k" + i)).isEqualTo(model.remove("k" + i));
        }
        if (i % 250 == 0) {
          assertThat(state.size()).isEqualTo(model.size());
        }
      }
      assertThat(state.all().asMap()).isEqualTo(model);
    }
  }
}
