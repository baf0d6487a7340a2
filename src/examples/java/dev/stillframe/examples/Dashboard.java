package dev.stillframe.examples;

import dev.stillframe.session.SessionSnapshot;
import dev.stillframe.state.StateSnapshot;
import dev.stillframe.trace.TraceViews;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the fleet and at every open session, over and over and without a pause, while other
 * threads write to them. It checks each picture it gets, and shows how far the fleet is.
 */
final class Dashboard implements Runnable {
  private final Fleet fleet;
  private final Progress progress;
  private final Queue<ReplayedSession> newcomers = new ConcurrentLinkedQueue<>();
  private final List<Watched> open = new ArrayList<>();
  private long messagesInEnded;
  private long snapshots;
  private long different;
  private long torn;
  private @Nullable String firstProblem;
  private volatile boolean stopped;

  Dashboard(Fleet fleet, Progress progress) {
    this.fleet = fleet;
    this.progress = progress;
  }

  /** Adds a session, which must not have made its first step yet. Any thread may call this. */
  void watch(ReplayedSession session) {
    newcomers.add(session);
  }

  @Override
  public void run() {
    boolean lastWalk;
    do {
      lastWalk = stopped; // read before the walk, so that the last one sees the final states
      walk();
      Thread.yield(); // no pause, but on a small machine the writers need a core too
    } while (!lastWalk);
  }

  /** Lets {@link #run} return after one more walk. */
  void stop() {
    stopped = true;
  }

  void walk() {
    StateSnapshot totals = fleet.snapshot();
    snapshots++;
    report("the fleet", SnapshotCheck.problemInFleet(totals));
    for (ReplayedSession session; (session = newcomers.poll()) != null; ) {
      open.add(new Watched(session));
    }
    long messages = messagesInEnded;
    for (Iterator<Watched> each = open.iterator(); each.hasNext(); ) {
      Watched watched = each.next();
      look(watched);
      messages += watched.messages();
      if (watched.hasEnded()) {
        messagesInEnded += watched.messages();
        each.remove();
      }
    }
    report("the fleet", SnapshotCheck.problemAhead(totals, messages));
    progress.show(Fleet.count(totals, Fleet.MESSAGES), this::treeOfOldest);
  }

  /** Draws the trace of the session that has been open longest. */
  private String treeOfOldest() {
    return open.isEmpty()
        ? ""
        : TraceViews.textTree(open.get(0).session.trace().snapshot(), Terminal.WIDTH);
  }

  private void look(Watched watched) {
    SessionSnapshot before = watched.latest;
    SessionSnapshot now = watched.session.session().snapshot();
    watched.latest = now;
    snapshots++;
    if (before == null || before.info().version() != now.info().version()) {
      different++;
      report(watched.session.name(), SnapshotCheck.problemInSession(now));
      if (before != null) {
        report(watched.session.name(), SnapshotCheck.problemBetween(before.state(), now.state()));
      }
    }
  }

  private void report(String what, @Nullable String problem) {
    if (problem != null) {
      torn++;
      firstProblem = firstProblem == null ? what + ": " + problem : firstProblem;
    }
  }

  /** Returns what was found; to be called once {@link #run} has returned. */
  Findings findings() {
    return new Findings(snapshots, different, torn, firstProblem);
  }

  /** A session with what it looked like last. */
  private static final class Watched {
    private final ReplayedSession session;
    private @Nullable SessionSnapshot latest;

    Watched(ReplayedSession session) {
      this.session = session;
    }

    int messages() {
      return latest == null ? 0 : SnapshotCheck.number(latest.state());
    }

    boolean hasEnded() {
      return latest != null && latest.state().get(ReplayedSession.ENDED) != null;
    }
  }

  /**
   * What the dashboard has seen.
   *
   * @param snapshots how many pictures it took
   * @param different how many of a session's were not the same as the one before
   * @param torn how many did not show one instant
   */
  record Findings(long snapshots, long different, long torn, @Nullable String firstProblem) {}
}
