package dev.stillframe.examples;

/** Says in one line what is wrong with what the user gave us. */
final class BadInputException extends Exception {
  private static final long serialVersionUID = 1L;

  BadInputException(String message) {
    super(message.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " "));
  }
}
