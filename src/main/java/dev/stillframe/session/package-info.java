/**
 * Sessions of agents: their state, shared in part with other sessions of the user and of the app,
 * and the events that led to it.
 *
 * <p>{@link dev.stillframe.session.SessionService} is the entry: it creates, finds and lists {@link
 * dev.stillframe.session.Session}s, which are handles. All types may be used by any number of
 * threads, builders excepted. No argument may be null where it is not marked so; a null is refused
 * with {@link java.lang.NullPointerException}.
 */
@NullMarked
package dev.stillframe.session;

import org.jspecify.annotations.NullMarked;
