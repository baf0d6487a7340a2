package dev.stillframe.trace;

import org.jspecify.annotations.Nullable;

/** Keeps everything, at no cost. */
final class NoRedactor implements Redactor {
  static final Redactor INSTANCE = new NoRedactor();

  private NoRedactor() {}

  @Override
  public @Nullable Object redact(String path, String key, Object value) {
    return value;
  }

  @Override
  public @Nullable Object redactAll(String path, String key, @Nullable Object value) {
    return value;
  }
}
