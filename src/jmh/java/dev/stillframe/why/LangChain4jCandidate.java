package dev.stillframe.why;

import dev.langchain4j.agentic.scope.AgenticScope;
import dev.langchain4j.agentic.scope.AgenticScopeRegistry;
import dev.langchain4j.agentic.scope.DefaultAgenticScope;
import java.util.HashMap;
import java.util.Map;

/**
 * LangChain4j: an {@code AgenticScope} is read and written key by key, or written several keys at
 * once; it has no means to change a value by what it is. Scopes are found by the id of a memory.
 */
final class LangChain4jCandidate implements Candidate {
  @Override
  public String name() {
    return "LangChain4j 1.19.0-beta29";
  }

  @Override
  public State state() {
    AgenticScope scope = DefaultAgenticScope.ephemeralAgenticScope();
    return new State() {
      @Override
      public void increment(String key) {
        scope.writeState(key, scope.readState(key, 0L) + 1);
      }

      @Override
      public long number(String key) {
        return scope.readState(key, 0L);
      }

      @Override
      public void writePair(long a, long b) {
        scope.writeStates(Map.of("a", a, "b", b));
      }

      @Override
      public long pairSum() {
        Map<String, Object> copy = new HashMap<>(scope.state());
        return (Long) copy.get("a") + (Long) copy.get("b");
      }
    };
  }

  @Override
  public Service service() {
    AgenticScopeRegistry scopes = new AgenticScopeRegistry("agent");
    return new Service() {
      @Override
      public void create(String session) {
        scopes.create(session);
      }

      @Override
      public void delete(String session) {
        scopes.evict(session, null);
      }

      @Override
      public boolean exists(String session) {
        return scopes.get(session) != null;
      }

      @Override
      public boolean hasEvents() {
        return false; // what agents said is noted by the framework, as it runs them
      }

      @Override
      public Handle handle(String session) {
        throw new UnsupportedOperationException("a scope has no events to append");
      }

      @Override
      public int events(String session) {
        throw new UnsupportedOperationException("a scope has no events to count");
      }
    };
  }
}
