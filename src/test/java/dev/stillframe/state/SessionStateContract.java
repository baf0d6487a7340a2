package dev.stillframe.state;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link SessionState} does, one part per subject. A subclass names the kind; those that
 * copy values take {@link CopiedValuesContract} as well.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
abstract class SessionStateContract
    implements ReadWriteContract,
        ConditionalWriteContract,
        NullContract,
        UpdateContract,
        DeltaContract,
        SnapshotContract,
        MapViewContract,
        MapViewCollectionsContract,
        DraftContract,
        SharedUseContract {
  private final StateKind kind;
  private final SessionState state;

  SessionStateContract(StateKind kind) {
    this.kind = kind;
    state = kind.create();
  }

  @Override
  public final SessionState state() {
    return state;
  }

  @Override
  public final StateKind kind() {
    return kind;
  }
}
