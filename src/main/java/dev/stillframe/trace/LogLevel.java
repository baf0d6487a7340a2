package dev.stillframe.trace;

/** How much a log entry matters. */
public enum LogLevel {
  /** For whoever looks for a fault. */
  DEBUG,
  /** The course of things. */
  INFO,
  /** Something to look at. */
  WARN,
  /** Something went wrong. */
  ERROR
}
