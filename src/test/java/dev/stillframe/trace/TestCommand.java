package dev.stillframe.trace;

/** A command that runs something. */
class TestCommand extends Command {
  private final Runnable action;
  volatile Throwable thrown;

  TestCommand(Runnable action) {
    this.action = action;
  }

  @Override
  void execute() {
    action.run();
  }

  @Override
  void failed(Throwable thrown) {
    this.thrown = thrown;
  }

  /** A command that runs something as the last one. */
  static class Last extends Command.Last {
    private final Runnable action;

    Last(Runnable action) {
      this.action = action;
    }

    @Override
    void execute() {
      action.run();
    }

    @Override
    void failed(Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }

  /** The owner of a worker role that has nothing to say. */
  static class SilentOwner implements WorkerRole.Owner {
    @Override
    public boolean hasRoom() {
      return true;
    }

    @Override
    public void publish() {}

    @Override
    public void published() {}
  }
}
