package dev.stillframe.session.store;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The keys of a session as a map: temporary ones of the handle, the others where it is stored. */
final class ScopedMap extends AbstractMap<String, Object> implements ConcurrentMap<String, Object> {
  private final StoredSession session;
  private final ConcurrentMap<String, Object> temporary;
  private final Texts texts;
  private final Runnable requireOpen;

  ScopedMap(
      StoredSession session,
      ConcurrentMap<String, Object> temporary,
      Texts texts,
      Runnable requireOpen) {
    this.session = session;
    this.temporary = temporary;
    this.texts = texts;
    this.requireOpen = requireOpen;
  }

  /** Tells whether the handle holds a key, and makes sure that the session is there. */
  private boolean isTemporary(Object key) {
    requireOpen.run();
    if (Scope.of((String) key) != Scope.TEMP) {
      return false; // the session is looked for as it is read or written
    }
    session.info();
    return true;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    Objects.requireNonNull(key, "key");
    return isTemporary(key) ? temporary.get(key) : value(session.read((String) key));
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public @Nullable Object put(String key, Object value) {
    return isTemporary(key)
        ? temporary.put(key, value)
        : value(session.write(key, old -> true, texts.write(value)));
  }

  @Override
  public @Nullable Object putIfAbsent(String key, Object value) {
    return isTemporary(key)
        ? temporary.putIfAbsent(key, value)
        : value(session.write(key, Objects::isNull, texts.write(value)));
  }

  @Override
  public @Nullable Object replace(String key, Object value) {
    return isTemporary(key)
        ? temporary.replace(key, value)
        : value(session.write(key, Objects::nonNull, texts.write(value)));
  }

  @Override
  public boolean replace(String key, Object expected, Object value) {
    return isTemporary(key)
        ? temporary.replace(key, expected, value)
        : exchange(key, expected, texts.write(value));
  }

  @Override
  public @Nullable Object remove(@Nullable Object key) {
    Objects.requireNonNull(key, "key");
    return isTemporary(key)
        ? temporary.remove(key)
        : value(session.write((String) key, old -> true, null));
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object expected) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(expected, "expected");
    return isTemporary(key)
        ? temporary.remove(key, expected)
        : exchange((String) key, expected, null);
  }

  private boolean exchange(String key, Object expected, @Nullable String value) {
    String match = texts.write(expected);
    return match.equals(session.write(key, match::equals, value));
  }

  /** A copy, as of one instant. */
  @Override
  public Set<Entry<String, Object>> entrySet() {
    return Collections.unmodifiableMap(copy()).entrySet();
  }

  Map<String, Object> copy() {
    requireOpen.run();
    return copy(session.readAll());
  }

  Map<String, Object> copy(Map<String, String> stored) {
    Map<String, Object> copy = new HashMap<>(temporary);
    stored.forEach((key, text) -> copy.put(key, texts.read(text)));
    return copy;
  }

  private @Nullable Object value(@Nullable String text) {
    return text == null ? null : texts.read(text);
  }
}
