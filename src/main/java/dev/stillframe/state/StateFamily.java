package dev.stillframe.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * States that can be looked at and changed together, at one instant, and that can share keys.
 *
 * <pre>{@code
 * StateFamily family = StateFamily.create();
 * SessionState app = family.newState();
 * SessionState first = family.scoped(family.newState()).share("app:", app).build();
 * SessionState second = family.scoped(family.newState()).share("app:", app).build();
 * first.set("app:theme", "dark");                       // second shows it, too
 * first.set("step", "planning");                        // second does not
 * }</pre>
 *
 * <p>Each state of a family keeps all that {@link SessionState} promises, and {@link #apply} and
 * {@link #all} extend it to several of them. A snapshot of one state makes writers of all states of
 * the family keep what they replace for as long as it takes to copy it, so a family should hold
 * what belongs together. A state that nobody refers to any more leaves nothing behind in its
 * family.
 *
 * <p>A family may be used by any number of threads.
 */
public final class StateFamily {
  private final SnapshotEpochs epochs = new SnapshotEpochs();

  private StateFamily() {}

  /**
   * Creates a family without states.
   *
   * @return a new family
   */
  public static StateFamily create() {
    return new StateFamily();
  }

  /**
   * Creates an empty state of this family, which copies collections and arrays.
   *
   * @return a new state
   */
  public SessionState newState() {
    return new ConcurrentSessionState(/* byReference= */ false, epochs);
  }

  /**
   * Starts a state that shows the keys of several states of this family.
   *
   * @param own holds the keys that belong to none of the shared ones
   * @return a new builder
   * @throws IllegalArgumentException if {@code own} does not come from {@link #newState()} of this
   *     family
   */
  public ScopedBuilder scoped(SessionState own) {
    return new ScopedBuilder(this, member("own", own));
  }

  /**
   * Makes the changes of several deltas to several states at one instant. If it throws, none of
   * them was made.
   *
   * @param changes what to change in which state
   * @throws IllegalArgumentException if a state is of another family, if two of the states would
   *     change the same key of a state that they share, or if a state refuses a key
   */
  public void apply(Map<SessionState, StateDelta> changes) {
    new FamilyWrite(this, changes, null).commit();
  }

  /**
   * Makes changes as {@link #apply} does, and returns what was there at that instant.
   *
   * @param changes what to change in which state
   * @return for each of these states the delta that takes its changes back
   * @throws IllegalArgumentException as {@link #apply} does
   */
  public Map<SessionState, StateDelta> exchange(Map<SessionState, StateDelta> changes) {
    return new FamilyWrite(this, changes, null).exchange();
  }

  /**
   * Makes changes as {@link #apply} does, if none of the keys that they change was written since a
   * snapshot of their state; writing an equal value counts, too.
   *
   * @param since a snapshot of each state that is changed
   * @param changes what to change in which state
   * @return true if the changes were made; false if a key was written
   * @throws IllegalArgumentException as {@link #apply} does, or if a snapshot is missing
   */
  public boolean applyIfUnchanged(
      Map<SessionState, StateSnapshot> since, Map<SessionState, StateDelta> changes) {
    return new FamilyWrite(this, changes, since).commit();
  }

  /**
   * Takes a snapshot of several states, all at the same instant between this call and its return.
   *
   * @param states the states
   * @return their snapshots, in the same order
   * @throws IllegalArgumentException if a state is of another family
   */
  public List<StateSnapshot> all(SessionState... states) {
    List<ConcurrentSessionState> all = new ArrayList<>();
    for (SessionState state : states) {
      all.addAll(membersOf(state));
    }
    FamilyMembers members =
        new FamilyMembers(epochs, all.stream().distinct().toArray(ConcurrentSessionState[]::new));
    StateSnapshot[] parts = members.snapshots();
    List<StateSnapshot> snapshots = new ArrayList<>(states.length);
    for (SessionState state : states) {
      StateSnapshot[] own =
          membersOf(state).stream()
              .map(member -> parts[members.list().indexOf(member)])
              .toArray(StateSnapshot[]::new);
      snapshots.add(state instanceof ScopedState scoped ? scoped.shown(own) : own[0]);
    }
    return snapshots;
  }

  /** Returns the members behind a state, in their order. */
  private List<ConcurrentSessionState> membersOf(SessionState state) {
    return state instanceof ScopedState scoped && scoped.members().epochs() == epochs
        ? scoped.members().list()
        : List.of(member("state", state));
  }

  private ConcurrentSessionState member(String name, SessionState state) {
    if (Objects.requireNonNull(state, name) instanceof ConcurrentSessionState member
        && member.epochs() == epochs) {
      return member;
    }
    throw new IllegalArgumentException(
        "The " + name + " must be a state of this family; it is a " + state.getClass().getName());
  }

  SnapshotEpochs epochs() {
    return epochs;
  }

  /** Returns the member that holds a key of a state. */
  ConcurrentSessionState scopeOf(SessionState state, String key) {
    return state instanceof ScopedState scoped && scoped.members().epochs() == epochs
        ? scoped.scopeOf(key)
        : member("state", state);
  }

  /** Options of a state over several states. A builder belongs to one thread. */
  public static final class ScopedBuilder {
    private final StateFamily family;
    private final ConcurrentSessionState own;
    private final Map<String, ConcurrentSessionState> shared = new LinkedHashMap<>();
    private Runnable guard = () -> {};

    private ScopedBuilder(StateFamily family, ConcurrentSessionState own) {
      this.family = family;
      this.own = own;
    }

    /**
     * Puts the keys that begin with a prefix into another state, under their whole name. The bare
     * prefix is no key. If several prefixes fit a key, the first that was given counts. Keys that a
     * shared state holds without the prefix are not shown.
     *
     * @param prefix how the keys begin, compared exactly; not empty
     * @param state holds them
     * @return this
     * @throws IllegalArgumentException if the prefix is empty or given already, or if the state
     *     does not come from {@link #newState()} of this family
     */
    public ScopedBuilder share(String prefix, SessionState state) {
      if (prefix.isEmpty() || shared.containsKey(prefix)) {
        throw new IllegalArgumentException(
            "A prefix must not be empty nor given twice; it is '" + prefix + "'");
      }
      shared.put(prefix, family.member("state", state));
      return this;
    }

    /**
     * Runs a check before every operation of the state, the commits of its drafts included, on the
     * calling thread and outside any lock. What it throws reaches the caller, and nothing has been
     * done. It must not use the state. The operations of the family run no check. Default: no
     * check.
     *
     * @param check may throw an unchecked exception
     * @return this
     */
    public ScopedBuilder guard(Runnable check) {
      guard = Objects.requireNonNull(check, "check");
      return this;
    }

    /**
     * Creates the state. {@link SessionState#clear()} empties all that it shows, the shared keys
     * included; it starts over while others add keys.
     *
     * @return a state over the keys of {@code own} and the shared ones
     */
    public SessionState build() {
      Set<ConcurrentSessionState> distinct = new LinkedHashSet<>(shared.values());
      distinct.add(own);
      return new ScopedState(
          new PrefixRouter(
              own,
              shared.keySet().toArray(String[]::new),
              shared.values().toArray(ConcurrentSessionState[]::new)),
          FamilyMembers.of(family.epochs, distinct.toArray(ConcurrentSessionState[]::new)),
          guard);
    }
  }
}
