package dev.stillframe.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What holds between apply, deltaFrom, then and inverseOn, whatever the content. */
class StateDeltaLawsTest {
  private static final int ROUNDS = 500;

  private static SessionState randomState(RandomOperations operations) {
    SessionState state = SessionState.create();
    state.apply(operations.delta(10));
    return state;
  }

  private static StateSnapshot after(StateSnapshot start, StateDelta... deltas) {
    SessionState state = SessionState.create();
    state.asMap().putAll(start.asMap());
    for (StateDelta delta : deltas) {
      state.apply(delta);
    }
    return state.all();
  }

  @Test
  void differenceOfTwoSnapshotsLeadsFromOneToTheOther() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      RandomOperations operations = new RandomOperations(new Random(seed));
      StateSnapshot one = randomState(operations).all();
      StateSnapshot two = randomState(operations).all();
      StateDelta difference = two.deltaFrom(one);

      assertThat(after(one, difference)).as("seed %d", seed).isEqualTo(two);
      assertThat(after(two, difference)).as("seed %d", seed).isEqualTo(two);
      assertThat(difference.asMap())
          .as("seed %d: only what differs", seed)
          .allSatisfy((key, value) -> assertThat(value).isNotEqualTo(one.get(key)));
    }
  }

  @Test
  void applyDoesWhatTheMapSays() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      RandomOperations operations = new RandomOperations(new Random(seed));
      StateSnapshot start = randomState(operations).all();
      StateDelta delta = operations.delta(8);
      Map<String, Object> expected = new TreeMap<>(start.asMap());
      RandomOperations.applyTo(expected, delta);

      assertThat(after(start, delta).asMap()).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void inverseUndoes() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      RandomOperations operations = new RandomOperations(new Random(seed));
      StateSnapshot start = randomState(operations).all();
      StateDelta delta = operations.delta(8);
      StateDelta inverse = delta.inverseOn(start);

      assertThat(after(start, delta, inverse)).as("seed %d", seed).isEqualTo(start);
      assertThat(inverse.inverseOn(after(start, delta)).asMap().keySet())
          .as("seed %d", seed)
          .isEqualTo(delta.asMap().keySet());
      assertThat(after(start, delta, inverse, inverse.inverseOn(after(start, delta))))
          .as("seed %d", seed)
          .isEqualTo(after(start, delta));
    }
  }

  @Test
  void oneAfterTheOtherIsTheTwoAsOne() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      RandomOperations operations = new RandomOperations(new Random(seed));
      StateSnapshot start = randomState(operations).all();
      StateDelta one = operations.delta(6);
      StateDelta two = operations.delta(6);
      StateDelta three = operations.delta(6);

      assertThat(after(start, one.then(two))).as("seed %d", seed).isEqualTo(after(start, one, two));
      assertThat(one.then(two).then(three))
          .as("seed %d", seed)
          .isEqualTo(one.then(two.then(three)));
      assertThat(after(start, one.then(two), one.then(two).inverseOn(start)))
          .as("seed %d", seed)
          .isEqualTo(start);
    }
  }

  @Test
  void mapReadsBack() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      StateDelta delta = new RandomOperations(new Random(seed)).delta(8);
      StateDelta back = StateDelta.fromMap(delta.asMap());

      assertThat(back).as("seed %d", seed).isEqualTo(delta).hasSameHashCodeAs(delta);
      assertThat(back.asMap().keySet()).containsExactlyElementsOf(delta.asMap().keySet());
    }
  }
}
