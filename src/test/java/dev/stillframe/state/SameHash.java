package dev.stillframe.state;

import java.util.ArrayList;
import java.util.List;

/** Keys that a hash map puts into one bin, however large it grows. */
final class SameHash {
  private SameHash() {}

  /** Returns different keys with the same hash code: "Aa" and "BB" have it in every place. */
  static List<String> keys(int count) {
    List<String> keys = new ArrayList<>(List.of(""));
    while (keys.size() < count) {
      List<String> longer = new ArrayList<>(keys.size() * 2);
      keys.forEach(key -> longer.add("Aa" + key));
      keys.forEach(key -> longer.add("BB" + key));
      keys = longer;
    }
    return keys.subList(0, count);
  }
}
