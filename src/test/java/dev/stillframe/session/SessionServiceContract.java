package dev.stillframe.session;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link SessionService} does, one part per subject. A subclass opens the service, and
 * says what it {@linkplain Capability lacks}, if anything.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
public abstract class SessionServiceContract
    implements CreateContract,
        AppendContract,
        ConcurrentAppendContract,
        DeleteContract,
        EventsContract,
        ScopeContract,
        ListContract,
        ForkContract,
        RewindContract,
        IdContract,
        IsolationContract,
        CloseContract {
  private final TestClock clock = new TestClock();
  private SessionService service;

  /** Opens a service without sessions. */
  protected abstract SessionService open(Clock clock) throws Exception;

  @BeforeEach
  public final void openService() throws Exception {
    service = open(clock);
  }

  @AfterEach
  public final void closeService() {
    service.close();
  }

  @Override
  public final SessionService service() {
    return service;
  }

  @Override
  public final TestClock clock() {
    return clock;
  }
}
