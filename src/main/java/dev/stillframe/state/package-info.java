/**
 * The state of one session: a concurrent map from text keys to values whose snapshots, multi-key
 * writes and drafts are atomic.
 *
 * <p>{@link dev.stillframe.state.SessionState} is the entry point. {@link
 * dev.stillframe.state.StateSnapshot} is a picture of it at one instant, {@link
 * dev.stillframe.state.StateDelta} a change to it, {@link dev.stillframe.state.StateDraft} a branch
 * of it that is committed as a whole.
 *
 * <p><b>Memory effects.</b> What a thread did before it wrote a value happens-before what another
 * thread does after it has read that value, by whichever operation, snapshots included.
 *
 * <p><b>Nulls.</b> Parameters, results and values are non-null unless marked {@code @Nullable};
 * passing null elsewhere throws {@link java.lang.NullPointerException} and changes nothing.
 */
@NullMarked
package dev.stillframe.state;

import org.jspecify.annotations.NullMarked;
