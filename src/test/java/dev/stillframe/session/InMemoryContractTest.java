package dev.stillframe.session;

import java.time.Clock;

class InMemoryContractTest extends SessionServiceContract {
  @Override
  protected SessionService open(Clock clock) {
    return SessionService.inMemory(InMemoryOptions.builder().clock(clock).build());
  }
}
