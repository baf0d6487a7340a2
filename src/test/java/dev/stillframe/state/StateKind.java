package dev.stillframe.state;

import dev.stillframe.trace.SpaceOptions;
import dev.stillframe.trace.TraceManager;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The implementations of {@link SessionState}, and where they may differ. */
enum StateKind {
  ENGINE(SessionState::create),
  BY_REFERENCE(() -> SessionState.builder().valuesByReference().build()),
  OVER_MAP(() -> SessionState.over(new ConcurrentHashMap<>())),
  DRAFT(() -> SessionState.create().draft()),
  SPACE(() -> TraceManager.open().createSpace(SpaceOptions.name("space")));

  private final Supplier<SessionState> factory;

  StateKind(Supplier<SessionState> factory) {
    this.factory = factory;
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
