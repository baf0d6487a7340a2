package dev.stillframe.why;

import com.google.adk.events.Event;
import com.google.adk.sessions.InMemorySessionService;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * google-adk: its {@code State} is a {@code ConcurrentMap}, whose {@code merge} it inherits, and
 * whose {@code putAll} is the means to write several keys.
 */
final class AdkCandidate implements Candidate {
  @Override
  public String name() {
    return "google-adk 1.8.0";
  }

  @Override
  public State state() {
    com.google.adk.sessions.State state =
        new com.google.adk.sessions.State(new ConcurrentHashMap<>());
    return new State() {
      @Override
      public void increment(String key) {
        state.merge(key, 1L, (old, one) -> (Long) old + (Long) one);
      }

      @Override
      public long number(String key) {
        return (Long) state.get(key);
      }

      @Override
      public void writePair(long a, long b) {
        state.putAll(Map.of("a", a, "b", b));
      }

      @Override
      public long pairSum() {
        Map<String, Object> copy = new HashMap<>(state);
        return (Long) copy.get("a") + (Long) copy.get("b");
      }
    };
  }

  @Override
  public Service service() {
    InMemorySessionService sessions = new InMemorySessionService();
    return new Service() {
      private Session find(String session) {
        return sessions.getSession("app", "user", session, Optional.empty()).blockingGet();
      }

      @Override
      public void create(String session) {
        sessions.createSession("app", "user", new ConcurrentHashMap<>(), session).blockingGet();
      }

      @Override
      public void delete(String session) {
        sessions.deleteSession("app", "user", session).blockingAwait();
      }

      @Override
      public boolean exists(String session) {
        return find(session) != null;
      }

      @Override
      public boolean hasEvents() {
        return true;
      }

      @Override
      public Handle handle(String session) {
        Session handle = find(session);
        return event ->
            sessions
                .appendEvent(
                    handle,
                    Event.builder()
                        .id(Event.generateEventId())
                        .author("agent")
                        .content(Content.fromParts(Part.fromText(event)))
                        .build())
                .blockingGet();
      }

      @Override
      public int events(String session) {
        return sessions.listEvents("app", "user", session).blockingGet().events().size();
      }
    };
  }
}
