package dev.stillframe.trace;

import dev.stillframe.StillframeException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown when the result of a branch is asked for and there is none. The message names the branches
 * that have failed; the cause is the failure of the first, the others are suppressed exceptions.
 */
public final class BranchException extends StillframeException {
  private static final long serialVersionUID = 1L;

  BranchException(List<? extends BranchResult<?>> failed) {
    super(
        "A branch must succeed to have a result; failed: "
            + failed.stream()
                .map(
                    result ->
                        "'"
                            + result.label()
                            + "' (node '"
                            + result.nodeId()
                            + "', "
                            + (result.failure() == null
                                ? "no failure"
                                : TraceError.of(result.failure()))
                            + ")")
                .collect(Collectors.joining(", ")),
        failed.get(0).failure());
    for (BranchResult<?> result : failed.subList(1, failed.size())) {
      Throwable failure = result.failure();
      if (failure != null) {
        addSuppressed(failure);
      }
    }
  }
}
