package dev.stillframe.state;

import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;

/** Finds the handles of volatile fields that change by compare-and-set. */
final class VarHandles {
  private VarHandles() {}

  /** Returns the handle of a field of the class that looks it up. */
  static VarHandle find(Lookup owner, String field, Class<?> type) {
    try {
      return owner.findVarHandle(owner.lookupClass(), field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
