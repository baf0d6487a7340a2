package dev.stillframe.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stillframe.trace.NodeOptions;
import dev.stillframe.trace.TraceManager;
import dev.stillframe.trace.TraceOptions;
import dev.stillframe.trace.store.FileTraceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where sessions and traces are kept makes no difference to what comes out. */
@Timeout(120)
class StoresTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"hazelcast", "jdbc:h2:mem:replay"})
  void sessionsMayBeElsewhere(String store) {
    assertReplayed(ExampleRun.of("--store", store), 5);
  }

  @Test
  void sessionsMayBeInPostgres() {
    String url = System.getenv("STILLFRAME_TEST_POSTGRES");
    assumeTrue(url != null, "STILLFRAME_TEST_POSTGRES must be the JDBC URL of a PostgreSQL");

    assertReplayed(ExampleRun.of("--store", url), 5);
  }

  private static void assertReplayed(ExampleRun run, int rounds) {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    String calls = " " + 25 * rounds;
    assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains("tool calls" + calls.repeat(4))
        .anyMatch(line -> line.endsWith("and 0 torn."));
  }

  @Test
  void tracesAreKeptAndCanBeShown() throws IOException {
    ExampleRun run =
        ExampleRun.of("--trace-dir", folder.resolve("traces").toString(), "--store", "memory");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    List<Path> files = files();
    assertThat(files).hasSize(320);
    String hint = "To see one of them: show ";
    String named =
        run.out().lines().filter(line -> line.startsWith(hint)).findFirst().orElseThrow();

    ExampleRun shown = ExampleRun.of("show", named.substring(hint.length()));
    assertThat(shown.err()).isEmpty();
    assertThat(shown.exitCode()).isZero();
    assertThat(shown.out()).contains(", completed, ", "tickets_left");
    assertThat(run.out()).contains(shown.out().lines().skip(2).limit(3).toList());
    for (Path file : files.subList(0, 8)) {
      assertThat(ExampleRun.of("show", file.toString()).exitCode()).isZero();
    }
  }

  @Test
  void damagedTraceIsShownAsFarAsItGoes() throws IOException {
    ExampleRun.of("--trace-dir", folder.toString(), shippedCopy().toString());
    Path file = files().get(0);
    long before = Files.size(file);
    Files.write(file, "torn".getBytes(UTF_8), StandardOpenOption.APPEND);

    ExampleRun shown = ExampleRun.of("show", file.toString());

    assertThat(shown.exitCode()).isZero();
    assertThat(shown.err()).startsWith("Damaged: line ").hasLineCount(1);
    assertThat(shown.out()).contains(", completed, ");
    assertThat(Files.size(file)).isEqualTo(before + 4);
  }

  @Test
  void archiveAndFolderAreShownAsTheFileIs() throws Exception {
    ExampleRun.of("--trace-dir", folder.toString(), shippedCopy().toString());
    Path file = files().get(0);
    Path parent = file.getParent();
    ExampleRun shown = ExampleRun.of("show", file.toString());
    assertThat(ExampleRun.of("show", parent.toString())).isEqualTo(shown);

    FileTraceStore.in(folder).archive(String.valueOf(parent.getFileName()));
    assertThat(file).doesNotExist();
    assertThat(ExampleRun.of("show", parent.toString())).isEqualTo(shown);
    assertThat(ExampleRun.of("show", parent.resolve("events.jsonl.gz").toString()))
        .isEqualTo(shown);
  }

  /** Another process may have the trace: its lock is not taken, and nothing is written. */
  @Test
  void traceThatIsBeingWrittenIsShown() throws Exception {
    try (FileTraceStore store = FileTraceStore.in(folder);
        TraceManager trace =
            TraceManager.open(TraceOptions.builder().id("open").store(store).build())) {
      trace.add(null, NodeOptions.label("Plan"));
      assertThat(trace.flush()).isTrue();
      Path file = files().get(0);
      List<Path> before = all();

      ExampleRun shown = ExampleRun.of("show", file.toString());

      assertThat(shown.exitCode()).isZero();
      assertThat(shown.out()).contains("open, running, 2 events, 1 nodes").contains(" Plan");
      assertThat(all()).isEqualTo(before);
    }
  }

  private List<Path> all() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.sorted().toList();
    }
  }

  private Path shippedCopy() throws IOException {
    Path copy = folder.resolve("conversations.json");
    try (var in = ConversationSource.shipped().open()) {
      Files.copy(in, copy);
    }
    return copy;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(path -> path.endsWith("events.jsonl")).sorted().toList();
    }
  }
}
