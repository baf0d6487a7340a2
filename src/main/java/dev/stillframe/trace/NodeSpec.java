package dev.stillframe.trace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node to be added beside others. Its input is copied deeply as it is added.
 *
 * @param input its input, or null
 * @param options what it is called, and how it is added
 */
public record NodeSpec(@Nullable Object input, NodeOptions options) {

  /**
   * Checks the options.
   *
   * @param input its input, or null
   * @param options what it is called, and how it is added
   */
  public NodeSpec {
    Objects.requireNonNull(options, "options");
  }

  /**
   * Describes a node by its input and its label.
   *
   * @param input its input, or null
   * @param label what to call it
   * @return the description
   */
  public static NodeSpec of(@Nullable Object input, String label) {
    return new NodeSpec(input, NodeOptions.label(label));
  }
}
