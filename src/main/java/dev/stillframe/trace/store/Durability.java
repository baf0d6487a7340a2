package dev.stillframe.trace.store;

/**
 * When events are on the disk itself. Whatever it is, they have been handed to the operating system
 * by the time an append returns, so that nothing is lost when only the process dies; it decides
 * what is lost when the machine does.
 */
public enum Durability {
  /** As an append returns. */
  EACH_EVENT,
  /** As a flush returns, and as a trace is released. */
  EACH_FLUSH,
  /** Whenever the operating system sees fit. */
  NONE
}
