package dev.stillframe.session;

import com.google.adk.sessions.InMemorySessionService;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jol.info.GraphLayout;

/**
 * How many bytes does an idle session take, of which nobody has a handle? Ids, keys and values are
 * not counted, nor what is shared by all sessions of the user.
 *
 * <p>This is a program of its own, without JMH; it prints a table.
 */
public final class SessionFootprint {
  private static final int SESSIONS = 256;
  private static final String VALUE = "value";

  private SessionFootprint() {}

  public static void main(String[] args) {
    System.out.println("| bytes of an idle session | Stillframe | google-adk |");
    System.out.println("|---|---|---|");
    for (int count : new int[] {0, 10}) {
      Map<String, Object> initial = new HashMap<>();
      String[] keys = new String[count];
      for (int i = 0; i < count; i++) {
        keys[i] = "key" + i;
        initial.put(keys[i], VALUE);
      }
      System.out.printf(
          "| created with %d keys | %d | %d |%n", count, ours(initial, keys), adk(initial, keys));
      if (count > 0) {
        System.out.printf("| %d keys set later | %d | |%n", count, setLater(keys));
      }
    }
  }

  private static String[] names() {
    String[] names = new String[SESSIONS];
    Arrays.setAll(names, i -> "session-" + i);
    return names;
  }

  private static long ours(Map<String, Object> initial, String[] keys) {
    String[] names = names();
    SessionService service = SessionService.inMemory();
    service.create(new SessionId("app", "user", "first"));
    long before = bytes(service, names, keys);
    for (String name : names) {
      service.create(new SessionId("app", "user", name), initial);
    }
    return (bytes(service, names, keys) - before) / SESSIONS;
  }

  private static long setLater(String[] keys) {
    String[] names = names();
    SessionService service = SessionService.inMemory();
    service.create(new SessionId("app", "user", "first"));
    long before = bytes(service, names, keys);
    for (String name : names) {
      Session session = service.create(new SessionId("app", "user", name));
      for (String key : keys) {
        session.state().set(key, VALUE);
      }
    }
    return (bytes(service, names, keys) - before) / SESSIONS;
  }

  private static long adk(Map<String, Object> initial, String[] keys) {
    String[] names = names();
    InMemorySessionService service = new InMemorySessionService();
    service.createSession("app", "user", new ConcurrentHashMap<>(), "first").blockingGet();
    long before = bytes(service, names, keys);
    for (String name : names) {
      service.createSession("app", "user", new ConcurrentHashMap<>(initial), name).blockingGet();
    }
    return (bytes(service, names, keys) - before) / SESSIONS;
  }

  private static long bytes(Object root, String[] names, String[] keys) {
    return GraphLayout.parseInstance(root, names, keys, VALUE).totalSize()
        - GraphLayout.parseInstance(names, keys, VALUE).totalSize();
  }
}
