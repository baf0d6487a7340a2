package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.stillframe.state.StateConflictException;
import dev.stillframe.state.StateDelta;
import dev.stillframe.state.StateDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TraceSpaceTest {
  private final TraceManager trace = TraceManager.open();
  private final TraceSpace space = trace.createSpace(SpaceOptions.name("shared"));

  private List<String> memoryEvents() {
    return trace.eventList(2).stream()
        .map(
            event -> {
              if (event instanceof TraceEvent.MemoryAdd add) {
                return "+" + add.key() + "=" + add.value();
              }
              if (event instanceof TraceEvent.MemoryUpdate update) {
                return "~" + update.key() + "=" + update.value();
              }
              if (event instanceof TraceEvent.MemoryDelete delete) {
                return "-" + delete.key();
              }
              return event.type();
            })
        .toList();
  }

  /** Adds up the events, as somebody does who has nothing else. */
  private Map<String, Object> folded() {
    Map<String, Object> values = new HashMap<>();
    for (TraceEvent event : trace.eventList(0)) {
      if (event instanceof TraceEvent.MemoryAdd add) {
        assertThat(values.put(add.key(), add.value())).isNull();
      } else if (event instanceof TraceEvent.MemoryUpdate update) {
        assertThat(values.put(update.key(), update.value())).isNotNull();
      } else if (event instanceof TraceEvent.MemoryDelete delete) {
        assertThat(values.remove(delete.key())).isNotNull();
      }
    }
    return values;
  }

  @Test
  void everyWriteIsAnEvent() {
    assertThat(space.set("a", 1)).isNull();
    assertThat(space.set("a", 2)).isEqualTo(1);
    assertThat(space.setIfAbsent("a", 3)).isEqualTo(2);
    assertThat(space.setIfAbsent("b", List.of("x"))).isNull();
    assertThat(space.computeIfAbsent("c", key -> key + key)).isEqualTo("cc");
    assertThat(space.computeIfAbsent("d", key -> null)).isNull();
    assertThat(space.replace("a", 1, 9)).isFalse();
    assertThat(space.replace("a", 2, 9)).isTrue();
    assertThat(space.update("a", old -> (Integer) old + 1)).isEqualTo(10);
    assertThat(space.update("c", old -> null)).isNull();
    assertThat(space.remove("b", List.of("y"))).isFalse();
    assertThat(space.remove("b", List.of("x"))).isTrue();
    assertThat(space.remove("none")).isNull();
    space.apply(StateDelta.builder().set("a", 11).set("e", 5).remove("none").build());
    assertThat(space.asMap()).isEqualTo(Map.of("a", 11, "e", 5));
    space.clear();
    assertThat(space.size()).isZero();
    assertThat(memoryEvents())
        .containsExactly(
            "+a=1", "~a=2", "+b=[x]", "+c=cc", "~a=9", "~a=10", "-c", "-b", "~a=11", "+e=5", "-a",
            "-e");
    assertThatNullPointerException()
        .isThrownBy(() -> space.set("a", null))
        .withMessageContaining("'a'");
  }

  @Test
  void incrementsVanishUnderContention() {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 250; i++) {
                  space.update("n", old -> old == null ? 1 : (Integer) old + 1);
                }
              });
      threads.add(thread);
      thread.start();
    }
    Await.join(threads);
    assertThat(space.get("n")).isEqualTo(4_000);
    assertThat(folded()).isEqualTo(Map.of("n", 4_000));
  }

  @Test
  void aFunctionMayUseTheSpaceAndItsTrace() {
    space.set("b", 1);
    Object result =
        space.update(
            "a",
            old -> {
              space.set("b", 2);
              trace.add(null, NodeOptions.label("in a function"));
              return space.update("c", c -> 7);
            });
    assertThat(result).isEqualTo(7);
    assertThat(space.all().asMap()).isEqualTo(Map.of("a", 7, "b", 2, "c", 7));
    assertThatExceptionOfType(LinkageError.class)
        .isThrownBy(
            () ->
                space.update(
                    "a",
                    old -> {
                      throw new LinkageError("on purpose");
                    }));
    assertThat(space.get("a")).isEqualTo(7);
  }

  @Test
  void aDraftIsOneCommand() {
    space.apply(StateDelta.builder().set("a", 1).set("b", 2).build());
    StateDraft draft = space.draft();
    draft.set("a", 10);
    draft.remove("b");
    draft.set("c", 3);
    assertThat(space.get("a")).isEqualTo(1);
    draft.commit();
    assertThat(space.all().asMap()).isEqualTo(Map.of("a", 10, "c", 3));
    assertThat(folded()).isEqualTo(Map.of("a", 10, "c", 3));

    StateDraft late = space.draft();
    late.update("a", old -> (Integer) old + 1);
    space.set("a", 20);
    assertThatExceptionOfType(StateConflictException.class).isThrownBy(late::commit);
    AtomicInteger merges = new AtomicInteger();
    late.commit(
        (key, base, current, ours) -> {
          if (merges.incrementAndGet() == 1) {
            space.set("a", 30); // so that what was settled is outdated
          }
          return (Integer) current + (Integer) ours - (Integer) base;
        });
    assertThat(space.get("a")).isEqualTo(31);
    assertThat(merges).hasValue(2);
    assertThat(folded()).isEqualTo(space.all().asMap());
  }

  @Test
  void aDeletedSpaceCanBeReadOnly() {
    space.set("a", 1);
    assertThat(space.delete()).isTrue();
    assertThat(space.delete()).isFalse();
    assertThat(space.get("a")).isEqualTo(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> space.set("a", 2))
        .withMessageContaining("'s1'");
    assertThat(trace.spaces()).isEmpty();
    assertThat(trace.space("s1")).isNull();
    assertThat(memoryEvents()).containsExactly("+a=1", "space_deleted");
  }

  @Test
  void theRedactorMasksEventsOnly() {
    TraceManager masked =
        TraceManager.open(TraceOptions.builder().redactor(Redactor.keys("token")).build());
    TraceSpace secret = masked.createSpace(SpaceOptions.name("s"));
    secret.set("token", "abc");
    secret.set("user", Map.of("token", "abc"));
    assertThat(secret.get("token")).isEqualTo("abc");
    assertThat(masked.eventList(0).toString()).doesNotContain("abc").contains(Redactor.MASK);
  }

  @RepeatedTest(20)
  void readsAndWritesOfASpaceAgainstRelease() {
    AtomicLong accepted = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      boolean writes = t < 5;
      String key = "k" + t;
      Thread thread =
          new Thread(
              () -> {
                try {
                  while (true) {
                    if (writes) {
                      space.update(key, old -> old == null ? 1L : (Long) old + 1);
                      accepted.incrementAndGet();
                    } else {
                      space.all();
                      if (trace.status() != TraceStatus.RUNNING) {
                        return;
                      }
                    }
                  }
                } catch (TraceClosedException closed) {
                  // released
                }
              });
      threads.add(thread);
      thread.start();
    }
    Await.until("they write", () -> accepted.get() > 100);
    trace.close();
    Map<String, Object> atClose = space.all().asMap();
    Await.join(threads);
    assertThat(space.all().asMap()).isEqualTo(atClose).isEqualTo(folded());
    assertThat(atClose.values().stream().mapToLong(value -> (Long) value).sum())
        .isEqualTo(accepted.get());
    assertThatExceptionOfType(TraceClosedException.class).isThrownBy(() -> space.set("x", 1));
  }

  @Test
  void halfOfATransferIsVisible() {
    space.apply(StateDelta.builder().set("a", 1_000).set("b", 1_000).build());
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; i < 5_000; i++) {
                space.apply(StateDelta.builder().set("a", i).set("b", 2_000 - i).build());
              }
            });
    writer.start();
    while (writer.isAlive()) {
      Map<String, Object> all = space.all().asMap();
      assertThat((Integer) all.get("a") + (Integer) all.get("b")).isEqualTo(2_000);
      all = trace.spaces().get(0).values().asMap();
      assertThat((Integer) all.get("a") + (Integer) all.get("b")).isEqualTo(2_000);
    }
    Await.join(List.of(writer));
  }

  /** A value whose comparison goes on only when somebody else has used the trace meanwhile. */
  private final class Curious {
    private final Runnable whenCompared;

    Curious(Runnable whenCompared) {
      this.whenCompared = whenCompared;
    }

    @Override
    public boolean equals(Object other) {
      whenCompared.run();
      return other instanceof Curious;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** Uses the trace on another thread; it fails if that thread is held up. */
  private void useTheTraceElsewhere() {
    Thread other =
        new Thread(
            () -> {
              trace.add(null, NodeOptions.defaults());
              trace.snapshot();
            });
    other.start();
    Await.join(List.of(other));
  }

  @Test
  void comparingValuesHoldsUpNobody() {
    AtomicInteger compared = new AtomicInteger();
    Runnable busy =
        () -> {
          compared.incrementAndGet();
          useTheTraceElsewhere();
        };
    space.set("k", new Curious(busy));
    StateDraft draft = space.draft();
    draft.update("k", old -> new Curious(busy));
    space.set("k", new Curious(busy)); // an equal one, so that the draft may be committed
    draft.commit();
    assertThat(compared).as("the commit has compared").hasPositiveValue();
    compared.set(0);
    assertThat(space.replace("k", new Curious(busy), new Curious(busy))).isTrue();
    assertThat(space.remove("k", new Curious(busy))).isTrue();
    assertThat(compared).hasPositiveValue();
    assertThat(trace.nodes()).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void anErrorOfAComparisonChangesNothing() {
    AtomicBoolean bad = new AtomicBoolean();
    Runnable fails =
        () -> {
          if (bad.get()) {
            throw new LinkageError("on purpose");
          }
        };
    space.set("k", new Curious(fails));
    StateDraft draft = space.draft();
    draft.set("k", 1);
    space.set("k", new Curious(fails));
    List<TraceEvent> before = trace.eventList(0);
    bad.set(true);
    assertThatExceptionOfType(LinkageError.class).isThrownBy(draft::commit);
    assertThat(trace.eventList(0)).isEqualTo(before);
    assertThat(trace.stats().failed()).isZero();
    bad.set(false);
    draft.commit();
    assertThat(space.get("k")).isEqualTo(1);
  }

  /** Values first, then events: see {@link TraceSpace}. */
  @Test
  void whoHasTheEventHasTheValueAndWhoHasTheValueFindsTheEvent() {
    Thread writer =
        new Thread(
            () -> {
              for (int i = 1; i <= 2_000; i++) {
                space.apply(StateDelta.builder().set("a", i).set("b", -i).build());
              }
              trace.markComplete();
            });
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    TraceSubscription subscription =
        trace.subscribe(
            event -> {
              Integer told = null;
              if (event instanceof TraceEvent.MemoryAdd add) {
                told = Math.abs((Integer) add.value());
              } else if (event instanceof TraceEvent.MemoryUpdate update) {
                told = Math.abs((Integer) update.value());
              }
              if (told != null && (Integer) space.get("a") < told) {
                wrong.add("event " + event + " came before its value");
              }
            });
    writer.start();
    while (writer.isAlive()) {
      Map<String, Object> seen = space.all().asMap();
      if (seen.isEmpty()) {
        continue;
      }
      int value = (Integer) seen.get("a");
      assertThat(seen.get("b")).isEqualTo(-value);
      TraceSnapshot snapshot = trace.snapshot();
      Map<String, Object> pictured = snapshot.spaces().get(0).values().asMap();
      assertThat((Integer) pictured.get("a")).isGreaterThanOrEqualTo(value);
      assertThat(pictured.get("b")).isEqualTo(-(Integer) pictured.get("a"));
      // init, space_created, and then two events for each change, never one of the two
      assertThat(snapshot.sequence()).isGreaterThanOrEqualTo(2 + 2L * (Integer) pictured.get("a"));
      List<TraceEvent> events = trace.eventList(2 + 2L * (value - 1));
      assertThat(events.stream().filter(e -> e.type().startsWith("memory")))
          .hasSizeBetween(2, 4_000);
      assertThat(events.stream().filter(e -> e.type().startsWith("memory")).count() % 2).isZero();
    }
    Await.join(List.of(writer));
    assertThat(subscription.awaitEnd(Duration.ofSeconds(60))).isTrue();
    assertThat(wrong).isEmpty();
    assertThat(folded()).isEqualTo(space.all().asMap()).isEqualTo(Map.of("a", 2_000, "b", -2_000));
  }

  @Test
  void aWriteOfADeletedSpaceIsRefusedThoughItWasPreparedBefore() {
    space.set("a", 1);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                space.update(
                    "a",
                    old -> {
                      space.delete();
                      return 2;
                    }))
        .withMessageContaining("'s1'");
    assertThat(space.get("a")).isEqualTo(1);
  }

  @Test
  void afterTheCloseWritesThatWouldChangeNothingAreRefusedToo() {
    space.set("a", 1);
    trace.close();
    long refused = trace.stats().refused();

    List<Runnable> writes =
        List.of(
            () -> space.remove("absent"),
            () -> space.remove("a", 2),
            () -> space.setIfAbsent("a", 2),
            () -> space.computeIfAbsent("a", key -> 2),
            () -> space.replace("a", 2, 3),
            () -> space.update("absent", old -> null),
            () -> space.apply(StateDelta.empty()));
    for (Runnable write : writes) {
      assertThatExceptionOfType(TraceClosedException.class).isThrownBy(write::run);
    }
    assertThat(trace.stats().refused()).isEqualTo(refused + writes.size());
    assertThat(space.all().asMap()).isEqualTo(Map.of("a", 1));
  }
}
