package dev.stillframe.examples;

import dev.stillframe.session.EventFilter;
import dev.stillframe.session.Session;
import dev.stillframe.session.SessionId;
import dev.stillframe.session.SessionService;
import dev.stillframe.session.SessionSnapshot;
import dev.stillframe.state.SessionState;
import dev.stillframe.trace.TraceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Replays conversations side by side, with a dashboard that watches. Threads take turns with them:
 * one message of one conversation, then one of another. An object replays once.
 */
final class Replay {
  static final int THREADS = Math.max(4, Runtime.getRuntime().availableProcessors());
  static final int OPEN_AT_ONCE = 8 * THREADS;

  private final ConversationSource source;
  private final int rounds;
  private final SessionService sessions;
  private final @Nullable StoredTraces storedTraces;
  private final Fleet fleet;
  private final Dashboard dashboard;
  private final List<ReplayedSession> replayed = new ArrayList<>();
  private final AtomicReference<TraceTotals> traced = new AtomicReference<>(TraceTotals.NONE);
  private final Semaphore mayOpen = new Semaphore(OPEN_AT_ONCE);
  private final ExecutorService players = Executors.newFixedThreadPool(THREADS, daemons("player"));
  private final AtomicReference<@Nullable ReplayFailedException> failure = new AtomicReference<>();

  /**
   * Prepares a replay.
   *
   * @param rounds how often the source is replayed, with new sessions each time
   * @param sessions where the sessions are made
   * @param totals the state of the fleet
   * @param storedTraces where the traces are kept, or null
   */
  Replay(
      ConversationSource source,
      int rounds,
      SessionService sessions,
      SessionState totals,
      @Nullable StoredTraces storedTraces,
      Progress progress) {
    this.source = source;
    this.rounds = rounds;
    this.sessions = sessions;
    this.storedTraces = storedTraces;
    this.fleet = new Fleet(totals);
    this.dashboard = new Dashboard(fleet, progress);
  }

  Outcome run() throws BadInputException, ReplayFailedException, InterruptedException {
    Thread watching = daemons("dashboard").newThread(this::watch);
    watching.start();
    try {
      for (int round = 1; round <= rounds && failure.get() == null; round++) {
        replayRound(round);
      }
      mayOpen.acquire(OPEN_AT_ONCE); // that is, when all have ended
    } catch (RuntimeException | Error e) {
      failed("The creation of a session", e);
    } finally {
      players.shutdownNow();
      dashboard.stop();
      watching.join();
    }
    ReplayFailedException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    try {
      return outcome();
    } catch (RuntimeException e) {
      throw new ReplayFailedException("The last look at the sessions", e);
    }
  }

  private void replayRound(int round) throws BadInputException, InterruptedException {
    try (ConversationReader reader = ConversationReader.open(source)) {
      Conversation conversation;
      while (failure.get() == null && (conversation = reader.next()) != null) {
        mayOpen.acquire();
        String name = "conversation " + conversation.place() + " in round " + round;
        ReplayedSession session = newSession(name);
        replayed.add(session);
        dashboard.watch(session);
        SessionReplay replay = new SessionReplay(conversation, session, fleet);
        players.execute(() -> takeTurn(replay));
      }
    }
  }

  private ReplayedSession newSession(String name) {
    SessionId id = sessions.create("replay", name).id();
    Session session = sessions.get(id, EventFilter.all().newest(1)); // which is looked at often
    TraceOptions.Builder options =
        TraceOptions.builder().createdBy("replay").metadata(Map.of("conversation", name));
    return new ReplayedSession(name, session, new ConversationTrace(options, storedTraces));
  }

  private void takeTurn(SessionReplay replay) {
    boolean goesOn = false;
    try {
      if (failure.get() == null && replay.playNext()) {
        Thread.yield(); // an agent would wait for its model here, and others would have the core
        players.execute(() -> takeTurn(replay));
        goesOn = true;
      } else {
        traced.accumulateAndGet(replay.traced(), TraceTotals::plus);
      }
    } catch (Throwable e) { // whatever it is, the run must end, and say so
      failed("The replay of " + replay.session().name(), e);
    } finally {
      if (!goesOn) {
        mayOpen.release();
      }
    }
  }

  private void watch() {
    try {
      dashboard.run();
    } catch (Throwable e) { // as above
      failed("The dashboard", e);
    }
  }

  private void failed(String what, Throwable cause) {
    failure.compareAndSet(null, new ReplayFailedException(what, cause));
  }

  private Outcome outcome() {
    Totals sum = Totals.NONE;
    String problem = null;
    for (ReplayedSession session : replayed) {
      SessionSnapshot last = session.session().snapshot();
      sum = sum.plus(Step.readFrom(last.state()).totals());
      if (problem == null) {
        problem = problem(session, last);
      }
    }
    return new Outcome(sum, problem, fleet.totals(), traced.get(), dashboard.findings());
  }

  /** Holds the events of a session against its state. */
  private static @Nullable String problem(ReplayedSession session, SessionSnapshot last) {
    String torn = SnapshotCheck.problemInSession(last);
    if (torn != null) {
      return session.name() + ": " + torn;
    }
    String lastEvent = last.events().get(0).id();
    return session.session().stateAsOf(lastEvent).asMap().equals(last.state().asMap())
        ? null
        : session.name() + ": its events must add up to its state, but add up to another";
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** What a replay came to: by the sessions, the fleet, the traces, and what the dashboard saw. */
  record Outcome(
      Totals sessions,
      @Nullable String sessionProblem,
      Totals fleet,
      TraceTotals traces,
      Dashboard.Findings findings) {}
}
