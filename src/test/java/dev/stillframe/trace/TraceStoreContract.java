package dev.stillframe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every store of traces does. A store of one's own is tested by a subclass. */
@Timeout(120)
public abstract class TraceStoreContract {
  private static final Instant AT = Instant.parse("2026-02-03T04:05:06.123456789Z");

  /** The store that is tested. */
  protected TraceStore store;

  /**
   * Creates an empty store.
   *
   * @return the store
   * @throws Exception if it cannot be created
   */
  protected abstract TraceStore createStore() throws Exception;

  /**
   * Returns a store that has what another one has, as after a restart of the process.
   *
   * @param before the other one, which is no longer used
   * @return a store
   * @throws Exception if that fails
   */
  protected abstract TraceStore reopen(TraceStore before) throws Exception;

  @BeforeEach
  void create() throws Exception {
    store = createStore();
  }

  @AfterEach
  void close() throws Exception {
    if (store instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  private static TraceEvent init(String id) {
    return new TraceEvent.Init(id, 1, AT, "me", Map.of());
  }

  private static TraceEvent log(String id, long sequence) {
    return new TraceEvent.LogAdded(
        id, sequence, AT, "n1", LogLevel.INFO, "event " + sequence, List.of(sequence));
  }

  private static TraceEvent complete(String id, long sequence) {
    return new TraceEvent.Complete(id, sequence, AT, TraceStatus.COMPLETED, null);
  }

  private List<TraceEvent> fill(String id, int events) throws Exception {
    store.create(id, AT);
    List<TraceEvent> all = new ArrayList<>(List.of(init(id)));
    store.append(id, List.copyOf(all));
    for (int i = 2; i <= events; i++) {
      store.append(id, List.of(log(id, i)));
      all.add(log(id, i));
    }
    store.release(id);
    return all;
  }

  private List<TraceEvent> replayed(String id) throws Exception {
    List<TraceEvent> events = new ArrayList<>();
    StoreReport report = store.replay(id, events::add);
    assertThat(report.isWhole()).as("%s", report).isTrue();
    assertThat(report.events()).isEqualTo(events.size());
    return events;
  }

  @Test
  void eventsComeBackEqualAndInOrder() throws Exception {
    List<TraceEvent> events = fill("t", 700);
    assertThat(replayed("t")).isEqualTo(events);
    store = reopen(store);
    assertThat(replayed("t")).isEqualTo(events);
    assertThat(store.read("t", 0, 1)).isEqualTo(events.subList(0, 1));
    assertThat(store.read("t", 350, 10)).isEqualTo(events.subList(350, 360));
    assertThat(store.read("t", 10, 10)).isEqualTo(events.subList(10, 20));
    assertThat(store.read("t", 699, 10)).isEqualTo(events.subList(699, 700));
    assertThat(store.read("t", 700, 10)).isEmpty();
    List<TraceEvent> paged = new ArrayList<>();
    for (List<TraceEvent> page = store.read("t", 0, 7); !page.isEmpty(); ) {
      assertThat(page).hasSizeBetween(1, 7);
      paged.addAll(page);
      page = store.read("t", paged.size(), 7);
    }
    assertThat(paged).isEqualTo(events);
  }

  @Test
  void whatFollowsIsReadToo() throws Exception {
    store.create("t", AT);
    store.append("t", List.of(init("t"), log("t", 2)));
    assertThat(store.read("t", 2, 10)).isEmpty();
    store.append("t", List.of(log("t", 3)));
    assertThat(store.read("t", 2, 10)).containsExactly(log("t", 3));
    store.flush("t");
    store.append("t", List.of());
  }

  @Test
  void anUnknownTraceIsEmpty() throws Exception {
    assertThat(store.read("none", 0, 10)).isEmpty();
    assertThat(replayed("none")).isEmpty();
    assertThat(store.find("none")).isNull();
    assertThat(store.resume("none")).isFalse();
    assertThat(store.archive("none")).isFalse();
    assertThat(store.remove("none")).isFalse();
    assertThat(store.list()).isEmpty();
    assertThat(store.list(LocalDate.EPOCH)).isEmpty();
    store.release("none");
    store.flush("none");
  }

  @Test
  void anIdIsKeptOnce() throws Exception {
    store.create("t", AT);
    assertThatExceptionOfType(TraceInUseException.class)
        .isThrownBy(() -> store.create("t", AT))
        .withMessageContaining("'t'");
    store.append("t", List.of(init("t")));
    assertThatExceptionOfType(TraceInUseException.class).isThrownBy(() -> store.resume("t"));
    assertThatExceptionOfType(TraceInUseException.class).isThrownBy(() -> store.archive("t"));
    assertThatExceptionOfType(TraceInUseException.class).isThrownBy(() -> store.remove("t"));
    store.release("t");
    store.release("t");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.create("t", AT.plusSeconds(1_000_000)))
        .withMessageContaining("'t'");
    assertThat(store.resume("t")).isTrue();
    store.append("t", List.of(log("t", 2)));
    store.release("t");
    assertThat(replayed("t")).containsExactly(init("t"), log("t", 2));
  }

  @Test
  void statusSaysWhetherItMayGoOn() throws Exception {
    store.create("t", AT);
    store.append("t", List.of(init("t"), log("t", 2)));
    assertThat(store.find("t").status()).isEqualTo(TraceStatus.RUNNING);
    assertThat(store.find("t").lastSequence()).isEqualTo(2);
    assertThat(store.find("t").day()).isEqualTo("2026-02-03");
    store.release("t");
    assertThat(store.find("t").status()).isEqualTo(TraceStatus.INTERRUPTED);
    assertThat(store.resume("t")).isTrue();
    store.append("t", List.of(complete("t", 3)));
    assertThat(store.find("t").status()).isEqualTo(TraceStatus.COMPLETED);
    store.release("t");
    store = reopen(store);
    assertThat(store.find("t").status()).isEqualTo(TraceStatus.COMPLETED);
    assertThat(store.resume("t")).as("nothing may be appended").isFalse();
  }

  @Test
  void listedByDay() throws Exception {
    for (String id : List.of("20260101000000000001", "20260101000000000002", "b", "a")) {
      store.create(id, AT);
      Instant opened = id.startsWith("2026") ? Instant.parse("2026-01-01T23:59:59Z") : AT;
      store.append(id, List.of(new TraceEvent.Init(id, 1, opened, null, Map.of())));
      store.release(id);
    }
    store = reopen(store);
    assertThat(store.list())
        .containsExactlyInAnyOrder("20260101000000000001", "20260101000000000002", "a", "b");
    assertThat(store.list(LocalDate.of(2026, 1, 1)))
        .containsExactlyInAnyOrder("20260101000000000001", "20260101000000000002");
    assertThat(store.list(LocalDate.of(2026, 2, 3))).containsExactlyInAnyOrder("a", "b");
    assertThat(store.list(LocalDate.of(2026, 2, 4))).isEmpty();
  }

  @Test
  void removedMeansGone() throws Exception {
    fill("t", 300);
    fill("other", 3);
    store.read("t", 0, 100);
    assertThat(store.remove("t")).isTrue();
    assertThat(store.remove("t")).isFalse();
    assertThat(store.read("t", 0, 10)).isEmpty();
    assertThat(store.list()).containsExactly("other");
    assertThat(fill("t", 150)).isEqualTo(replayed("t"));
    assertThat(store.read("t", 100, 1)).containsExactly(log("t", 101));
  }

  @Test
  void anArchiveIsOnlyRead() throws Exception {
    List<TraceEvent> events = fill("t", 600);
    assertThat(store.archive("t")).isTrue();
    assertThat(store.archive("t")).isFalse();
    store = reopen(store);
    assertThat(store.find("t").isArchived()).isTrue();
    assertThat(store.find("t").lastSequence()).isEqualTo(600);
    assertThat(replayed("t")).isEqualTo(events);
    assertThat(store.read("t", 400, 100)).isEqualTo(events.subList(400, 500));
    assertThat(store.read("t", 500, 100)).isEqualTo(events.subList(500, 600));
    assertThat(store.resume("t")).isFalse();
    assertThatExceptionOfType(Exception.class)
        .isThrownBy(() -> store.append("t", List.of(log("t", 601))));
    assertThatIllegalArgumentException().isThrownBy(() -> store.create("t", AT));
    assertThat(replayed("t")).isEqualTo(events);
    assertThat(store.list()).containsExactly("t");
    assertThat(store.remove("t")).isTrue();
    assertThat(store.list()).isEmpty();
  }

  /** Ids that leave the storage folder, or are too long for a file name, or differ by little. */
  @Test
  void anyTextIsAnId() throws Exception {
    List<String> ids =
        Stream.concat(
                Stream.of(
                    "../../out",
                    "/etc/x",
                    "a/../../b",
                    "..\\x",
                    "C:x",
                    ".",
                    "..",
                    " ",
                    "nul\0l",
                    "\0",
                    "con",
                    "CON",
                    "Con",
                    "aux.txt",
                    "com1",
                    "lpt9",
                    "a",
                    "A",
                    "é",
                    "e\u0301",
                    "É",
                    "ß",
                    "ss",
                    "ı",
                    "i",
                    "K",
                    "\u212a",
                    "x.",
                    "x ",
                    "x",
                    "~",
                    "=",
                    "=a",
                    "~0041",
                    "%41",
                    "\ud83d",
                    "\ude00",
                    "\ud83d\ude00",
                    "\ufffd",
                    "?",
                    "20260203",
                    "20261399",
                    "2026020é",
                    "\u2028",
                    "a\nb",
                    "~~"),
                Stream.of(
                    "x".repeat(300),
                    "x".repeat(301),
                    "y".repeat(5_000) + "1",
                    "y".repeat(5_000) + "2",
                    "\u20ac".repeat(120),
                    "A".repeat(61),
                    "\ud83d".repeat(300),
                    "\ude00".repeat(300)))
            .toList();
    for (String id : ids) {
      store.create(id, AT);
      store.append(id, List.of(init(id), log(id, 2)));
      store.release(id);
    }
    store = reopen(store);
    assertThat(store.list()).containsExactlyInAnyOrderElementsOf(ids);
    for (String id : ids) {
      assertThat(replayed(id)).containsExactly(init(id), log(id, 2));
      assertThat(store.find(id).id()).isEqualTo(id);
      assertThat(store.resume(id)).isTrue();
      store.append(id, List.of(log(id, 3)));
      store.release(id);
    }
    for (String id : ids) {
      assertThat(replayed(id)).hasSize(3);
      assertThat(store.archive(id)).isTrue();
      assertThat(store.remove(id)).isTrue();
    }
    assertThat(store.list()).isEmpty();
  }

  /** Values that cannot be written as JSON, beside others. */
  @Test
  void valuesThatCannotBeWrittenBreakNothing() throws Exception {
    TraceRegistry registry = TraceRegistry.over(store);
    TraceManager trace = registry.open(TraceOptions.builder().id("t").build());
    List<TraceEvent> seen = new ArrayList<>();
    TraceSubscription subscription = trace.subscribe(seen::add);
    trace.add(
        Map.of("good", "yes", "thread", Thread.currentThread(), "lambda", (Runnable) () -> {}),
        NodeOptions.label("n"));
    trace.markComplete();
    trace.close();
    Await.until("the stream ends", subscription::isEnded);
    assertThat(seen).hasSize(4);
    assertThat(trace.health()).isEqualTo(StoreHealth.GOOD);
    store = reopen(store);
    TraceManager loaded = TraceRegistry.over(store).load("t", TraceOptions.defaults());
    Map<?, ?> input = (Map<?, ?>) loaded.root().input();
    assertThat(input.get("good")).isEqualTo("yes");
    assertThat(String.valueOf(input.get("thread"))).contains(Thread.currentThread().getName());
    assertThat(loaded.eventList(0)).hasSize(4);
    loaded.close();
  }

  /** Line separators inside values. */
  @Test
  void lineSeparatorsInsideValues() throws Exception {
    TraceRegistry registry = TraceRegistry.over(store);
    TraceManager trace = registry.open(TraceOptions.builder().id("t").build());
    String odd = "\u2028\u2029\u0085\r\n\n\u0000 \ud83d\ude00 \ud83d { \"sequence\":1,\"crc\":\"";
    TraceNode node = trace.add(Map.of(odd, odd), NodeOptions.label(odd).metadata(Map.of(odd, odd)));
    node.info(odd, odd, Arrays.asList(odd, null)).fail(new IllegalStateException(odd));
    trace.createSpace(SpaceOptions.name(odd)).set(odd, odd);
    trace.cancel(odd);
    trace.close();
    assertThat(replayed("t")).isEqualTo(trace.eventList(0));
    store = reopen(store);
    assertThat(replayed("t")).isEqualTo(trace.eventList(0));
    TraceManager loaded = TraceRegistry.over(store).load("t", TraceOptions.defaults());
    assertThat(loaded.snapshot()).isEqualTo(trace.snapshot());
    loaded.close();
  }

  /** A run left as running by a crash. */
  @Test
  void aRunLeftAsRunningByACrash() throws Exception {
    store.create("t", AT);
    TraceManager first = TraceManager.open(TraceOptions.builder().id("other").store(store).build());
    first.add("in", NodeOptions.label("a"));
    first.add("in", NodeOptions.label("b").keepParentsOpen());
    assertThat(first.flush()).isTrue();
    store.release("t");
    store = reopen(store); // the trace was not released
    assertThat(store.find("other").status()).isEqualTo(TraceStatus.INTERRUPTED);
    TraceRegistry registry = TraceRegistry.over(store);
    TraceManager loaded = registry.load("other", TraceOptions.defaults());
    assertThat(loaded.status()).isEqualTo(TraceStatus.INTERRUPTED);
    assertThat(loaded.snapshot().nodes())
        .extracting(NodeSnapshot::status)
        .hasSize(2)
        .containsOnly(NodeStatus.RUNNING);
    assertThat(loaded.handle("n1").complete("out")).isTrue();
    assertThat(loaded.status()).isEqualTo(TraceStatus.RUNNING);
    loaded.close();
    assertThat(store.find("other").status()).isEqualTo(TraceStatus.INTERRUPTED);

    TraceManager again = registry.load("other", TraceOptions.defaults());
    assertThat(again.node("n1").output()).isEqualTo("out");
    assertThat(registry.cancel("other", "user")).isTrue();
    assertThat(again.node("n2").status()).isEqualTo(NodeStatus.CANCELLED);
    again.close();
    store = reopen(store);
    assertThat(store.find("other").status()).isEqualTo(TraceStatus.CANCELLED);
    TraceManager ended = TraceRegistry.over(store).load("other", TraceOptions.defaults());
    assertThat(ended.snapshot()).isEqualTo(again.snapshot());
    assertThat(ended.markComplete()).isFalse();
    ended.close();
    assertThat(replayed("other")).as("it stays as it was").isEqualTo(again.eventList(0));
  }

  /** Times shift with the machine's zone. */
  @Test
  void timesDoNotShiftWithTheZone() throws Exception {
    Instant inTheHourThatOccursTwice = Instant.parse("2026-11-01T05:30:00.000000001Z");
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      List<Instant> ticks =
          new ArrayList<>(
              IntStream.range(0, 20)
                  .mapToObj(i -> inTheHourThatOccursTwice.plusSeconds(i * 600L))
                  .toList());
      Clock clock = new SuppliedClock(() -> ticks.remove(0));
      TraceManager trace =
          TraceManager.open(TraceOptions.builder().id("t").store(store).clock(clock).build());
      trace.add(null, NodeOptions.label("n")).complete();
      trace.markComplete();
      trace.close();
      for (String zone : List.of("UTC", "Asia/Tokyo")) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        store = reopen(store);
        TraceManager loaded = TraceRegistry.over(store).load("t", TraceOptions.defaults());
        assertThat(loaded.snapshot()).isEqualTo(trace.snapshot());
        assertThat(loaded.snapshot().duration()).isEqualTo(trace.snapshot().duration());
        assertThat(store.list(LocalDate.of(2026, 11, 1))).containsExactly("t");
        loaded.close();
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** Parallel emitters get the same sequence number. */
  @Test
  void listSubscriberAndStoreAgree() throws Exception {
    TraceManager trace = TraceManager.open(TraceOptions.builder().id("t").store(store).build());
    List<TraceEvent> seen = new ArrayList<>();
    TraceSubscription subscription = trace.subscribe(seen::add);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      TraceNode node = trace.add(null, NodeOptions.label("b").keepParentsOpen());
      threads.add(new Thread(() -> IntStream.range(0, 500).forEach(i -> node.info("{}", i))));
    }
    threads.forEach(Thread::start);
    Await.join(threads);
    trace.close();
    Await.until("the stream ends", subscription::isEnded);
    assertThat(seen).isEqualTo(trace.eventList(0)).hasSize(1_504);
    store = reopen(store);
    assertThat(replayed("t")).isEqualTo(seen);
    TraceManager loaded = TraceRegistry.over(store).load("t", TraceOptions.defaults());
    loaded.handle("n1").info("more");
    assertThat(loaded.eventList(1_504)).extracting(TraceEvent::sequence).containsExactly(1_505L);
    loaded.close();
  }

  /** A very deep tree. */
  @Test
  void aVeryDeepTree() throws Exception {
    TraceManager trace = TraceManager.open(TraceOptions.builder().id("t").store(store).build());
    for (int i = 0; i < 10_000; i++) {
      trace.add(i, NodeOptions.label("n"));
    }
    trace.markComplete();
    trace.close();
    store = reopen(store);
    TraceManager loaded = TraceRegistry.over(store).load("t", TraceOptions.defaults());
    assertThat(loaded.nodes()).hasSize(10_000).isEqualTo(trace.nodes());
    assertThat(loaded.status()).isEqualTo(TraceStatus.COMPLETED);
    loaded.close();
  }

  /** The final event is recorded but never delivered. */
  @Test
  void theFinalEventIsKeptAndDelivered() throws Exception {
    for (int i = 0; i < 200; i++) {
      String id = "t" + i;
      TraceManager trace = TraceManager.open(TraceOptions.builder().id(id).store(store).build());
      List<TraceEvent> seen = new ArrayList<>();
      TraceSubscription subscription = trace.subscribe(seen::add);
      trace.markComplete();
      trace.close();
      Await.until("the stream ends", subscription::isEnded);
      assertThat(seen.get(seen.size() - 1)).isInstanceOf(TraceEvent.Complete.class);
      assertThat(replayed(id)).isEqualTo(seen);
    }
  }

  /** Resume point older than what is kept: the rest comes from the store. */
  @Test
  void resumePointOlderThanWhatIsKept() throws Exception {
    TraceManager trace =
        TraceManager.open(TraceOptions.builder().id("t").retainEvents(10).store(store).build());
    TraceNode node = trace.add(null, NodeOptions.label("n"));
    for (int i = 0; i < 3_000; i++) {
      node.info("{}", i);
    }
    trace.flush();
    assertThat(trace.stats().oldestEvent()).isGreaterThan(6);
    List<TraceEvent> after = trace.eventList(5);
    assertThat(after).hasSize(2_997).noneMatch(TraceEvent.Gap.class::isInstance);
    trace.close();
    store = reopen(store);
    TraceManager loaded =
        TraceRegistry.over(store).load("t", TraceOptions.builder().retainEvents(10).build());
    assertThat(loaded.stats().oldestEvent()).as("a load keeps no more").isGreaterThan(2_000);
    assertThat(loaded.eventList(5)).isEqualTo(after);
    loaded.close();
  }

  @Test
  void anOpenThatFailsTakesNothing() throws Exception {
    fill("t", 3);
    TraceRegistry registry = TraceRegistry.over(store);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.open(TraceOptions.builder().id("t").build()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.load("none", TraceOptions.defaults()));
    assertThat(registry.list()).isEmpty();
    TraceManager loaded = registry.load("t", TraceOptions.defaults());
    TraceRegistry second = TraceRegistry.over(store);
    assertThatExceptionOfType(TraceInUseException.class)
        .isThrownBy(() -> second.load("t", TraceOptions.defaults()));
    loaded.close();
    assertThatCode(() -> second.load("t", TraceOptions.defaults()).close())
        .doesNotThrowAnyException();
    assertThat(registry.remove("t")).isTrue();
    assertThat(store.list()).isEmpty();
  }
}
