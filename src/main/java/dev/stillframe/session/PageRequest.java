package dev.stillframe.session;

import org.jspecify.annotations.Nullable;

/**
 * Which page of a list to read.
 *
 * @param size how many sessions at most, positive
 * @param after the last session of the page before, as that page showed it; null for the first page
 */
public record PageRequest(int size, @Nullable SessionInfo after) {

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public PageRequest {
    if (size < 1) {
      throw new IllegalArgumentException("The size of a page must be positive: " + size);
    }
  }

  /**
   * Asks for the first page.
   *
   * @param size how many sessions at most, positive
   * @return a new request
   * @throws IllegalArgumentException if the size is not positive
   */
  public static PageRequest first(int size) {
    return new PageRequest(size, null);
  }
}
