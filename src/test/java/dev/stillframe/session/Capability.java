package dev.stillframe.session;

/**
 * What an implementation of {@link SessionService} may lack; each is named in what it documents.
 */
public enum Capability {
  /** A state shows several keys at one instant, and nobody sees a part of what it is given. */
  STATE_IS_ATOMIC_ACROSS_KEYS,

  /** {@link Session#snapshot()} shows state and events at one instant. */
  SNAPSHOT_IS_OF_ONE_INSTANT,

  /** Objects other than texts, numbers, truth values, lists, maps and null keep their class. */
  KEEPS_ANY_OBJECT
}
