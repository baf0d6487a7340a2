package dev.stillframe.trace;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The last command of a trace: gives it an outcome, or just releases it. */
final class Ending extends Command.Last {
  private final TraceEngine engine;
  private final @Nullable TraceStatus outcome;
  private final @Nullable String reason;
  private final Instant at;

  Ending(TraceEngine engine, @Nullable TraceStatus outcome, @Nullable String reason, Instant at) {
    this.engine = engine;
    this.outcome = outcome;
    this.reason = reason;
    this.at = at;
  }

  /** Set before it is offered: the events of this ending were loaded. */
  private boolean happened;

  void hasHappened() {
    happened = true;
  }

  @Nullable TraceStatus outcome() {
    return outcome;
  }

  String how() {
    return outcome == null ? "released" : outcome.name().toLowerCase(Locale.ROOT);
  }

  @Override
  void execute() {
    try {
      if (outcome != null && !happened) {
        TreeCommands.endAll(engine, at, outcome, reason);
        engine.emit(new TraceEvent.Complete(engine.id, engine.nextSequence(), at, outcome, reason));
      }
    } finally {
      engine.seal();
    }
  }

  @Override
  void failed(Throwable thrown) {
    engine.commandFailed(thrown);
  }
}
