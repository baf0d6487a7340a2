package dev.stillframe.trace;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command with a result. The result is written in the worker role, before the queue says that the
 * command is executed, and read after that.
 */
final class Call<R extends @Nullable Object> extends Command {
  private final Supplier<R> body;
  private @Nullable R result;
  private @Nullable Throwable thrown;

  Call(Supplier<R> body) {
    this.body = body;
  }

  @Override
  void execute() {
    result = body.get();
  }

  @Override
  void failed(Throwable thrown) {
    this.thrown = thrown;
  }

  @SuppressWarnings("NullAway") // R says whether the result may be null
  R result() {
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return result;
  }
}
