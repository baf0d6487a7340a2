package dev.stillframe.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A flag that one thread at a time can have. It is taken by compare-and-set, and given back by
 * assigning false to {@code taken}: a plain assignment needs no stack, so that it succeeds even
 * where a call would overflow it, and nobody keeps the flag for good.
 */
final class Flag {
  private static final VarHandle TAKEN = taken();

  volatile boolean taken;

  private static VarHandle taken() {
    try {
      return MethodHandles.lookup().findVarHandle(Flag.class, "taken", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Takes the flag, unless somebody has it. */
  boolean take() {
    return TAKEN.compareAndSet(this, false, true);
  }
}
