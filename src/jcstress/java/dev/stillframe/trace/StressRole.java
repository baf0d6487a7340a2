package dev.stillframe.trace;

/** A worker role of its own, and short forms for its commands. */
class StressRole implements WorkerRole.Owner {
  final CommandQueue queue = new CommandQueue(4);
  final WorkerRole role = new WorkerRole(queue, this, Runnable::run);

  static Command command(Runnable action) {
    return new Command() {
      @Override
      void execute() {
        action.run();
      }

      @Override
      void failed(Throwable thrown) {
        throw new AssertionError(thrown);
      }
    };
  }

  static Command.Last last(Runnable action) {
    return new Command.Last() {
      @Override
      void execute() {
        action.run();
      }

      @Override
      void failed(Throwable thrown) {
        throw new AssertionError(thrown);
      }
    };
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public void publish() {}

  @Override
  public void published() {}
}
