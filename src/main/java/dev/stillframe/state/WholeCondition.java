package dev.stillframe.state;

import org.jspecify.annotations.Nullable;

/** Says what several indexes must hold unchanged until a commit takes effect. */
@FunctionalInterface
interface WholeCondition {

  /** Returns a snapshot of each index, or null if the commit must not be made. */
  StateSnapshot @Nullable [] snapshots();
}
