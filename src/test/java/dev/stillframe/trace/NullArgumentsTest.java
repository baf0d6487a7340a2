package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stillframe.state.SessionState;
import dev.stillframe.state.StateDraft;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each public method refuses null by a message of its own, unless its signature allows null. */
class NullArgumentsTest {
  private final TraceManager trace = TraceManager.open();
  private final TraceNode node = trace.add(null, NodeOptions.label("n"));

  private Map<Class<?>, Object> objects() {
    TraceRegistry registry = TraceRegistry.over(new MemoryStore());
    return Map.ofEntries(
        Map.entry(TraceManager.class, trace),
        Map.entry(TraceNode.class, node),
        Map.entry(TraceRegistry.class, registry),
        Map.entry(TraceOptions.class, TraceOptions.defaults()),
        Map.entry(TraceOptions.Builder.class, TraceOptions.builder()),
        Map.entry(NodeOptions.class, NodeOptions.defaults()),
        Map.entry(NodeSpec.class, NodeSpec.of(null, "n")),
        Map.entry(SpaceOptions.class, SpaceOptions.name("s")),
        Map.entry(BranchOptions.class, BranchOptions.defaults()),
        Map.entry(Branch.class, Branch.of("b", branch -> null)),
        Map.entry(TraceViews.class, new Object()),
        Map.entry(TraceFold.class, new TraceFold()),
        Map.entry(TraceError.class, TraceError.of(new IllegalStateException("x"))),
        Map.entry(LogEntry.class, new Object()));
  }

  private @Nullable Object valueFor(Class<?> type) {
    return Stream.<Object>of(
            "text",
            Map.of("key", "value"),
            new NodeSpec[] {NodeSpec.of(null, "n")},
            new String[] {"text"},
            new Object[] {"text"},
            NodeOptions.defaults(),
            NodeSpec.of(null, "n"),
            SpaceOptions.name("s"),
            BranchOptions.defaults(),
            TraceOptions.builder().id("another").build(),
            new MemoryStore(),
            Redactor.none(),
            Duration.ofSeconds(1),
            Clock.systemUTC(),
            Instant.EPOCH,
            LocalDate.EPOCH,
            SessionState.create(),
            (StateDraft.Merge) (key, base, current, mine) -> mine,
            (Executor) Runnable::run,
            (Consumer<Object>) unused -> {},
            (NodeBody<Object, RuntimeException>) unused -> "result",
            (BranchBody<Object>) unused -> "result",
            LogLevel.INFO,
            new IllegalStateException("x"),
            trace.snapshot(),
            trace.eventList(0).get(0))
        .filter(type::isInstance)
        .findFirst()
        .orElseGet(() -> type == long.class ? (Object) 1L : type == int.class ? (Object) 40 : null);
  }

  @Test
  void nullIsRefusedByName() throws Exception {
    List<String> problems = new ArrayList<>();
    int calls = 0;
    for (Class<?> type : objects().keySet()) {
      for (Method method : type.getDeclaredMethods()) {
        boolean isOurs = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
        AnnotatedType[] types = method.getAnnotatedParameterTypes();
        for (int i = 0; isOurs && i < types.length && !method.getName().equals("equals"); i++) {
          if (!method.getParameterTypes()[i].isPrimitive() && !isNullable(types[i])) {
            calls++;
            String problem = new NullArgumentsTest().problem(type, method, i);
            if (problem != null) {
              problems.add(
                  type.getSimpleName() + "." + method.getName() + ", " + i + ": " + problem);
            }
          }
        }
      }
    }
    assertThat(problems).isEmpty();
    assertThat(calls).isGreaterThan(80);
  }

  private static boolean isNullable(AnnotatedType type) {
    // a variable whose bound may be null, too
    return type.isAnnotationPresent(Nullable.class) || type.getType() instanceof TypeVariable<?>;
  }

  private @Nullable String problem(Class<?> type, Method method, int place) throws Exception {
    @Nullable Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(this::valueFor).toArray();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] == null && method.getName().equals("join")) {
        arguments[i] = List.of(node);
      } else if (arguments[i] == null && method.getParameterTypes()[i] == List.class) {
        arguments[i] = List.of(Branch.of("b", branch -> null));
      }
    }
    arguments[place] = null;
    try {
      method.invoke(objects().get(type), arguments);
      return "it is not refused";
    } catch (InvocationTargetException e) {
      String message = e.getCause().getMessage();
      if (!(e.getCause() instanceof NullPointerException)) {
        return e.getCause().toString();
      }
      if (message == null || message.contains("because") || message.startsWith("Cannot ")) {
        return "its message is " + message;
      }
      int nodes = trace.snapshot().nodes().size();
      return nodes == 1 ? null : "it has left " + nodes + " nodes";
    } catch (IllegalArgumentException | NullPointerException ofTest) {
      return "the test has no argument for it";
    }
  }

  @Test
  void nullWithinWhatIsGivenIsRefusedByName() {
    Collection<Throwable> thrown =
        List.of(
            catchThrowable(() -> trace.parallel((NodeSpec) null)),
            catchThrowable(() -> node.parallel(NodeSpec.of(null, "a"), null)),
            catchThrowable(() -> trace.all(Arrays.asList((Branch<Object>) null))),
            catchThrowable(
                () -> node.join(Arrays.asList((TraceNode) null), null, NodeOptions.defaults())),
            catchThrowable(() -> Redactor.keys("a", null)),
            catchThrowable(() -> Redactor.keys((String[]) null)),
            catchThrowable(() -> Redactor.paths("a", null)));
    assertThat(thrown)
        .allSatisfy(
            one -> {
              assertThat(one).isInstanceOf(NullPointerException.class);
              assertThat(one.getMessage()).isNotNull().doesNotContain("because", "Cannot ");
            });
    assertThat(trace.snapshot().nodes()).hasSize(1);
  }
}
