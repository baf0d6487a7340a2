package dev.stillframe.session.store;

import dev.stillframe.session.SessionId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the entry of a shared scope holds. It is replaced as a whole, and no two are equal, since
 * each has a number of its own.
 *
 * @param revision counts them; 0 if there is no entry
 * @param keys the keys, as of before the intent
 * @param intent the record that is about to change them; null if there is none
 */
record SharedKeys(long revision, Map<String, String> keys, @Nullable Intent intent) {
  static final SharedKeys NONE = new SharedKeys(0, Map.of(), null);

  /** A record of a session's log. */
  record Intent(SessionId id, String uid, long sequence) {}

  SharedKeys with(@Nullable Intent next) {
    return new SharedKeys(revision + 1, keys, next);
  }

  SharedKeys settled(Map<String, @Nullable String> changes) {
    return new SharedKeys(revision + 1, Head.changed(keys, changes), null);
  }

  String write(Texts texts) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("revision", revision);
    map.put("keys", keys);
    if (intent != null) {
      map.put("app", intent.id.app());
      map.put("user", intent.id.user());
      map.put("session", intent.id.session());
      map.put("uid", intent.uid);
      map.put("sequence", intent.sequence);
    }
    return texts.write(map);
  }

  @SuppressWarnings("unchecked") // as it was written
  static SharedKeys read(String text, Texts texts) {
    Map<String, @Nullable Object> map = texts.readMap(text);
    Intent intent =
        map.containsKey("uid")
            ? new Intent(
                new SessionId(
                    Texts.text(map, "app"), Texts.text(map, "user"), Texts.text(map, "session")),
                Texts.text(map, "uid"),
                Texts.number(map, "sequence"))
            : null;
    return new SharedKeys(
        Texts.number(map, "revision"),
        (Map<String, String>) Objects.requireNonNull(map.get("keys")),
        intent);
  }

  static String name(Scope scope, SessionId id, Texts texts) {
    return texts.write(scope == Scope.APP ? List.of(id.app()) : List.of(id.app(), id.user()));
  }
}
