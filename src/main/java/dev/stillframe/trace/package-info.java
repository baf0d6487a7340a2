/**
 * The trace of what agents do: a tree of nodes, their logs, shared spaces of values, and every
 * change to them as an event, in one order.
 *
 * <p>{@link dev.stillframe.trace.TraceManager} is the entry point.
 *
 * <p><b>Commands.</b> What changes a trace is a command. It is accepted, and then executed exactly
 * once, in one total order that keeps each thread's own order; or it is refused, with {@link
 * dev.stillframe.trace.TraceClosedException} and no effect. A trace has no thread: a command is
 * executed by the thread that submits it, or by another that is executing commands of the same
 * trace at that moment.
 *
 * <p><b>Memory effects.</b> What a thread did before it changed a trace happens-before what another
 * thread does after it has seen that change, by whichever reader, snapshot or subscription.
 *
 * <p><b>Nulls.</b> Parameters, results and values are non-null unless marked {@code @Nullable};
 * passing null elsewhere throws {@link java.lang.NullPointerException} and changes nothing.
 */
@NullMarked
package dev.stillframe.trace;

import org.jspecify.annotations.NullMarked;
