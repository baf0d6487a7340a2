package dev.stillframe.trace;

import org.jspecify.annotations.Nullable;

/**
 * One change to a trace, or one reading of it that must see all changes before it. It is its own
 * place in the {@link CommandQueue}, and is offered once only.
 */
abstract class Command {
  /** Its number in the order of acceptance, from 1. Written before it is accepted. */
  long index;

  /** The command accepted before it. Written before it is accepted, cut by the consumer. */
  @Nullable Command previous;

  /** The command accepted after it. The consumer's alone. */
  @Nullable Command next;

  /** Does it. Runs in the worker role, and no code of a user in it. */
  abstract void execute();

  /** Takes what {@link #execute} threw. Runs in the worker role. */
  abstract void failed(Throwable thrown);

  /** A command after which a queue accepts nothing. */
  abstract static class Last extends Command {}
}
