package dev.stillframe.trace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work to be done beside other work, in a node of its own.
 *
 * @param <T> what it returns
 * @param spec its node
 * @param body the work
 */
public record Branch<T extends @Nullable Object>(NodeSpec spec, BranchBody<T> body) {

  /**
   * Checks that both are there.
   *
   * @param spec its node
   * @param body the work
   */
  public Branch {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(body, "body");
  }

  /**
   * Describes work by the label of its node.
   *
   * @param <T> what it returns
   * @param label what to call its node
   * @param body the work
   * @return the branch
   */
  public static <T extends @Nullable Object> Branch<T> of(String label, BranchBody<T> body) {
    return new Branch<>(NodeSpec.of(null, label), body);
  }
}
