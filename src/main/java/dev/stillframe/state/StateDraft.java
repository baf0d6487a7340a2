package dev.stillframe.state;

import org.jspecify.annotations.Nullable;

/**
 * A branch of a state: an isolated overlay on a snapshot. It reads its {@linkplain #base() base}
 * and its own writes; nobody else sees those until {@link #commit()} makes all of them at one
 * instant.
 *
 * <pre>{@code
 * StateDraft draft = state.draft();
 * draft.set("answer", ask(draft.require("question")));
 * draft.commit();
 * }</pre>
 *
 * <p>A commit succeeds only if every key that the draft read or wrote still has the value it had in
 * the base; values are compared as {@link java.util.Objects#deepEquals} does. So two drafts that
 * each read what the other writes never both commit. A draft that looked at the whole ({@link
 * #all()}, {@link #keys()}, {@link #size()}, {@link #clear()}, an iteration of {@link #asMap()})
 * has read every key, the absent ones included; {@link #delta()} reads nothing.
 *
 * <p>A draft may be used by several threads, as any state. {@link SessionState#draft()} of a draft
 * starts a draft that commits into this one. Once committed, a draft is closed: it can be read but
 * no longer written or committed ({@link IllegalStateException}). A draft that is simply dropped
 * leaves nothing behind.
 */
public interface StateDraft extends SessionState {

  /**
   * Returns the snapshot that this draft was started on.
   *
   * @return the base
   */
  StateSnapshot base();

  /**
   * Returns what a commit would change.
   *
   * @return the keys whose value differs from the base, at one instant
   */
  StateDelta delta();

  /**
   * Makes all changes of this draft visible at one instant.
   *
   * @throws StateConflictException if a key that the draft read or wrote has changed since it was
   *     started, or if others wrote equal values again in each of 1,000 rounds; nothing was stored,
   *     and the draft can be used on
   * @throws IllegalStateException if the draft was committed already, or is being committed
   */
  void commit();

  /**
   * Makes all changes of this draft visible at one instant, and settles the keys that have changed
   * since the base: what the merge returns becomes their value in the same instant.
   *
   * @param merge settles one key; it may run several times for a key, and outside any lock
   * @throws StateConflictException if others wrote again in each of 1,000 rounds; nothing was
   *     stored, and the draft can be used on
   * @throws IllegalStateException if the draft was committed already, or is being committed
   */
  void commit(Merge merge);

  /** Settles a key that both a draft and others have touched. */
  @FunctionalInterface
  interface Merge {

    /**
     * Decides what a key shall hold.
     *
     * @param key the key
     * @param base its value when the draft was started, or null if it was absent
     * @param current its value now, or null if it is absent
     * @param draft its value in the draft, or null if it is absent there; equal to {@code base} if
     *     the draft has only read it
     * @return the value to store, or null to remove the key
     */
    @Nullable Object merge(
        String key, @Nullable Object base, @Nullable Object current, @Nullable Object draft);
  }
}
