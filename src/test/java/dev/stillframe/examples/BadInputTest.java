package dev.stillframe.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BadInputTest {
  @TempDir Path folder;

  static Stream<Arguments> contents() {
    return Stream.of(
        // not the JSON that it should be
        arguments("", "is empty"),
        arguments("  \n ", "is empty"),
        arguments("Dear all", "Unrecognized token 'Dear'"),
        arguments("[{\"traj\": [{\"role\": \"us", "line 1, column 24: Unexpected end-of-input"),
        arguments("[{\"traj\": []},", "Unexpected end-of-input"),
        arguments("[\n  {\"traj\": []}\n  {\"traj\": []}]", "line 3, column 3"),
        arguments("[{\"traj\": [], \"traj\": []}]", "Duplicate field 'traj'"),
        arguments("[{\"traj\": []}] []", "goes on at line 1, column 16"),
        arguments("{\"traj\": []}", "holds an object"),
        arguments("\"traj\"", "holds traj"),
        arguments("null", "holds null"),
        arguments("[" + "[".repeat(2_000) + "]".repeat(2_000) + "]", "nesting depth"),
        // not the conversations that it should be
        arguments("[]", "at least one conversation"),
        arguments("[7]", "A conversation must be an object, but [0] is 7, in"),
        arguments("[null]", "[0] is null"),
        arguments("[[]]", "[0] is []"),
        arguments("[{\"traj\": []}, {}]", "[1].traj is absent"),
        arguments("[{\"traj\": null}]", "[0].traj is null"),
        arguments("[{\"traj\": {\"role\": 1}}]", "must be an array, but [0].traj is {\"role\":1}"),
        arguments("[{\"traj\": \"" + "long ".repeat(99) + "\"}]", "...,"),
        // not the messages that they should be
        messages("[]", "A message must be an object, but [0].traj[0] is []"),
        messages("{}", "[0].traj[0].role is absent"),
        messages("{\"role\": null}", "[0].traj[0].role is null"),
        messages("{\"role\": 5}", "[0].traj[0].role is 5"),
        messages("{\"role\": \"robot\"}", "one of system, user, assistant, tool, but"),
        messages("{\"role\": \"User\"}", "[0].traj[0].role is \"User\""),
        messages("{\"role\": \"two\\nlines\"}", "is \"two\\nlines\""),
        messages(
            "{\"role\": \"user\", \"content\": 5}", "must be text, but [0].traj[0].content is 5"),
        messages(
            "{\"role\": \"user\"}, {\"role\": \"user\", \"content\": []}", "[0].traj[1].content"),
        messages("{\"role\": \"tool\"}", "[0].traj[0].tool_call_id is absent"),
        // not the tool calls that they should be
        messages("{\"role\": \"user\", \"tool_calls\": []}", "Only an assistant's message may"),
        calls("{}", "tool calls must be an array, but [0].traj[0].tool_calls is {}"),
        calls("[3]", "[0].traj[0].tool_calls[0] is 3"),
        calls("[{\"id\": \"a\"}]", "tool_calls[0].function is absent"),
        calls("[{\"function\": {}}]", "tool_calls[0].id is absent"),
        calls("[{\"id\": \"a\", \"function\": {}}]", "tool_calls[0].function.name is absent"),
        calls(
            "[{\"id\": \"a\", \"function\": {\"name\": \"n\", \"arguments\": {}}}]",
            "tool_calls[0].function.arguments is {}"));
  }

  private static Arguments messages(String json, String expected) {
    return arguments("[{\"traj\": [" + json + "]}]", expected);
  }

  private static Arguments calls(String json, String expected) {
    return messages("{\"role\": \"assistant\", \"tool_calls\": " + json + "}", expected);
  }

  @ParameterizedTest
  @MethodSource("contents")
  void badContentIsRefusedInOneLine(String content, String expected) throws IOException {
    Path file = folder.resolve("input.json");
    Files.writeString(file, content);

    assertRefused(expected, file.toString()).contains("'" + file + "'");
  }

  @Test
  void invalidUtf8IsRefused() throws IOException {
    Path file = folder.resolve("latin1.json");
    Files.write(
        file, "[{\"traj\":[],\"place\":\"Ålesund\"}]".getBytes(StandardCharsets.ISO_8859_1));

    assertRefused("must be valid JSON, but '" + file + "' is not at line 1", file.toString());
  }

  @Test
  void zeroBytesAreRefused() throws IOException {
    Path file = folder.resolve("zeros.json");
    Files.write(file, new byte[64]);

    assertRefused("must be valid JSON", file.toString());
  }

  @Test
  void missingFileIsRefused() {
    assertRefused("there is no", folder.resolve("missing.json").toString());
    assertRefused("there is no", folder.resolve("two\nlines.json").toString());
  }

  @Test
  void folderIsRefused() {
    assertRefused("is a folder", folder.toString());
    assertRefused("'' is a folder", "");
  }

  @Test
  void unreadableFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("secret.json"), "[]");
    assumeTrue(file.toFile().setReadable(false) && !Files.isReadable(file), "root reads all");

    assertRefused("access denied", file.toString());
  }

  @Test
  void impossibleNameIsRefused() {
    assertRefused("valid name", "nul\0byte");
  }

  @Test
  void secondArgumentIsRefused() {
    assertRefused("one file to replay, but there are 'a' and 'b'", "a", "b");
  }

  @Test
  void unknownOptionIsRefused() {
    assertRefused("'--fast'", "--fast");
    assertRefused("'-'", "a.json", "-");
  }

  @Test
  void optionWithoutItsValueIsRefused() {
    assertRefused("--store must be followed by a value, but is followed by nothing", "--store");
    assertRefused("--store must be followed by a value, but is followed by ''", "--store", "");
    assertRefused("is followed by '--trace-dir'", "--store", "--trace-dir", "x");
    assertRefused("--trace-dir must be followed by a value", "a.json", "--trace-dir");
  }

  @Test
  void optionThatIsGivenTwiceIsRefused() {
    assertRefused("--store must be given once", "--store", "memory", "--store", "memory");
    assertRefused("--trace-dir must be given once", "--trace-dir", "a", "--trace-dir", "b");
  }

  @Test
  void unknownStoreIsRefused() {
    assertRefused("[memory, hazelcast, jdbc:...], but is 'redis'", "--store", "redis");
    assertRefused("but is 'Memory'", "--store", "Memory");
  }

  @Test
  void databaseThatIsNotThereIsRefused() {
    assertRefused("'jdbc:nothing:x' is not: ", "--store", "jdbc:nothing:x");
    assertRefused("'jdbc:' is not: ", "--store", "jdbc:");
    assertRefused(
        "'jdbc:h2:tcp://127.0.0.1:1/x' is not: ", "--store", "jdbc:h2:tcp://127.0.0.1:1/x");
    String secret = "jdbc:postgresql://me:secret@127.0.0.1:1/x?password=secret";
    assertRefused("'jdbc:postgresql://127.0.0.1:1/x' is not: ", "--store", secret)
        .doesNotContain("secret");
  }

  @Test
  void folderForTracesThatIsAFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("a file"), "");

    assertRefused("must be one, or be made", "--trace-dir", file.toString());
    assertRefused("must be one, or be made", "--trace-dir", file.resolve("b").toString());
    assertRefused("must have a valid name", "--trace-dir", "nul\0byte");
  }

  @Test
  void traceThatCannotBeShownIsRefused() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty"), "");
    Path other = Files.createDirectory(folder.resolve("other"));

    assertRefused("show must be followed by one trace, but is followed by []", "show");
    assertRefused("but is followed by [a, b]", "show", "a", "b");
    assertRefused("there is no", "show", folder.resolve("missing").toString());
    assertRefused("must have events, but", "show", empty.toString());
    assertRefused("must hold its events, but", "show", other.toString());
    assertRefused("must have a valid name", "show", "nul\0byte");
  }

  private static AbstractStringAssert<?> assertRefused(String expected, String... args) {
    ExampleRun run = ExampleRun.of(args);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    return assertThat(run.err())
        .hasLineCount(1)
        .contains(expected)
        .endsWith(System.lineSeparator());
  }
}
