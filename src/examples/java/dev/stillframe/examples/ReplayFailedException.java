package dev.stillframe.examples;

/** Thrown when a thread of the replay has failed, through no fault of the input. */
final class ReplayFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  ReplayFailedException(String what, Throwable cause) {
    super((what + " failed: " + cause).replaceAll("\\p{Cntrl}+", " "), cause);
  }
}
