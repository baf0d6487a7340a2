package dev.stillframe.session;

import java.util.UUID;

/** Makes ids that owe nothing to a clock. */
final class RandomIds {
  private RandomIds() {}

  static String next() {
    return UUID.randomUUID().toString();
  }
}
