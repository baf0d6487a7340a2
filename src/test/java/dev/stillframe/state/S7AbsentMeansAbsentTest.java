package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S7: a key is there with a value, or absent. {@link NullContract} has the rules for callers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S7AbsentMeansAbsentTest {

  @ParameterizedTest
  @EnumSource
  void nobodyEverSeesAKeyWithoutAValue(StateKind kind) throws Exception {
    SessionState state = kind.create();
    AtomicInteger looks = new AtomicInteger();
    new Storm()
        .repeat(
            2,
            writer -> {
              for (int i = 0; i < 20; i++) {
                state.set("k" + i, i);
                state.update("k" + (i + 7) % 20, old -> old == null ? "new" : null);
                state.apply(StateDelta.builder().remove("k" + (i + 3) % 20).set("a", i).build());
              }
            })
        .repeat(
            2,
            reader -> {
              StateSnapshot snapshot = state.all();
              for (Map.Entry<String, Object> entry : snapshot) {
                assertThat(entry.getValue()).isNotNull().isEqualTo(snapshot.get(entry.getKey()));
              }
              assertThat(snapshot.asMap().values()).doesNotContainNull();
              assertThat(snapshot.asMap().keySet()).hasSize(snapshot.size());
              state.asMap().forEach((key, value) -> assertThat(value).isNotNull());
              state.asMap().computeIfPresent("k1", (key, old) -> old.toString());
              looks.incrementAndGet();
            })
        .runFor(Duration.ofMillis(300));

    assertThat(looks).hasPositiveValue();
  }
}
