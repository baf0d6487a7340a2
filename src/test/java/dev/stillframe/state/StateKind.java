package dev.stillframe.state;

import dev.stillframe.trace.SpaceOptions;
import dev.stillframe.trace.TraceManager;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** The implementations of {@link SessionState}, and where they may differ. */
enum StateKind {
  ENGINE(SessionState::create),
  BY_REFERENCE(() -> SessionState.builder().valuesByReference().build()),
  OVER_MAP(() -> SessionState.over(new ConcurrentHashMap<>())),
  DRAFT(() -> SessionState.create().draft()),
  SPACE(() -> TraceManager.open().createSpace(SpaceOptions.name("space"))),
  SCOPED(StateKind::overFour),
  SCOPED_SHARED(() -> over(members -> key -> members[1])),
  SCOPED_DRAFT(() -> overFour().draft());

  private final Supplier<SessionState> factory;

  StateKind(Supplier<SessionState> factory) {
    this.factory = factory;
  }

  /** Spreads the keys over four states. */
  private static SessionState overFour() {
    return over(members -> key -> members[key.hashCode() & 3]);
  }

  private static SessionState over(Function<ConcurrentSessionState[], ScopeRouter> router) {
    SnapshotEpochs epochs = new SnapshotEpochs();
    ConcurrentSessionState[] members = new ConcurrentSessionState[4];
    Arrays.setAll(members, i -> new ConcurrentSessionState(/* byReference= */ false, epochs));
    return new ScopedState(
        router.apply(members), new FamilyMembers(epochs, members.clone()), () -> {});
  }

  SessionState create() {
    return factory.get();
  }

  /** Whether collections and arrays are copied as they are stored. */
  boolean copiesValues() {
    return this != BY_REFERENCE;
  }

  /** Whether operations over several keys, snapshots included, take effect at one instant. */
  boolean isAtomicAcrossKeys() {
    return this != OVER_MAP;
  }

  /** Whether a snapshot is reused as long as nothing changes. */
  boolean reusesSnapshots() {
    return this != OVER_MAP;
  }
}
