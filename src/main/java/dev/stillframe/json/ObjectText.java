package dev.stillframe.json;

/**
 * What is kept of a value that JSON cannot hold, such as a thread, a lambda or an object of a class
 * that {@link Json} was not told of: its class and its text. The object itself is not kept. It is
 * written like any other value, and comes back equal.
 *
 * @param type the name of the object's class
 * @param text what its {@code toString} returned; of a longer one the first 10,000 characters
 */
public record ObjectText(String type, String text) {
  private static final int LONGEST = 10_000;

  /** Describes an object. If its text cannot be had, the description says so. */
  static ObjectText of(Object value) {
    String type = value.getClass().getName();
    try {
      String text = "" + value; // "null" if its toString returns null
      return new ObjectText(type, text.length() > LONGEST ? text.substring(0, LONGEST) : text);
    } catch (Throwable thrown) { // code of a user, which may be broken in any way
      return new ObjectText(type, "(the text threw " + thrown.getClass().getName() + ")");
    }
  }

  /** Returns the text. */
  @Override
  public String toString() {
    return text;
  }
}
