package dev.stillframe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stillframe.state.SessionState;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every {@code java} block of the README compiles, in one of three forms:
 *
 * <ul>
 *   <li>statements, put into the body of a method that may throw anything;
 *   <li>members, put into the body of a class;
 *   <li>a whole file, if it has a package or declares a public class.
 * </ul>
 *
 * <p>The first two may begin with imports, and may use without one our packages and {@code
 * java.util} with its {@code concurrent} and {@code function}; the variable {@code state}, which is
 * a {@link SessionState}; and methods of their own that the reader is to imagine, such as {@code
 * send(…)}, which are declared here with any number of arguments and any result.
 */
class ReadmeTest {
  private static final Path README =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("README.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\b[^\\n]*\\n(.*?)^```");
  private static final Pattern WHOLE_FILE =
      Pattern.compile("(?m)^(package |public (final |abstract )?(class|interface|enum|record) )");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\\s*$");
  private static final Pattern BARE_CALL = Pattern.compile("(?<![\\w.:])([a-z]\\w*)\\s*\\(");
  private static final Set<String> NOT_CALLS =
      Set.of(
          "if",
          "for",
          "while",
          "switch",
          "catch",
          "try",
          "synchronized",
          "return",
          "super",
          "this",
          "assert",
          "throw",
          "else",
          "do");

  @TempDir private Path folder;

  private static List<String> blocks(String markdown) {
    return BLOCK.matcher(markdown).results().map(block -> block.group(1)).toList();
  }

  @TestFactory
  Stream<DynamicTest> everyBlockCompiles() throws IOException {
    List<String> blocks = blocks(Files.readString(README));
    assertThat(blocks).as("java blocks of %s", README).isNotEmpty();
    return blocks.stream()
        .map(
            block ->
                DynamicTest.dynamicTest(
                    block.strip().lines().findFirst().orElse(""),
                    () -> assertThat(errors(block)).as(block).isEmpty()));
  }

  @Test
  void everyFormOfBlockIsUnderstood() throws Exception {
    for (String block :
        List.of(
            "import java.time.Duration;\n\nDuration pause = Duration.ZERO;\n"
                + "for (var entry : state.all()) { send(entry, pause); }",
            "static final StateKey<Integer> N = StateKey.of(\"n\", Integer.class);\n"
                + "Object next(Object old) {\n  return imagine(old);\n}",
            "public class Main {\n  public static void main(String[] args) {}\n}")) {
      assertThat(errors(block)).as(block).isEmpty();
    }
  }

  @Test
  void wrongBlockIsFound() throws Exception {
    for (String block :
        List.of(
            "SessionState state = SessionState.creat();",
            "int attempts = state.get(\"attempts\");",
            "public class Main { SessionState state; }")) {
      assertThat(errors(block)).as(block).isNotEmpty();
    }
  }

  @Test
  void blocksAreTakenOutOfTheirText() {
    assertThat(
            blocks("# T\n```java\na();\n```\ntext\n```xml\n<a/>\n```\n```java\nb();\nc();\n```\n"))
        .containsExactly("a();\n", "b();\nc();\n");
    assertThat(blocks("no block")).isEmpty();
  }

  /** Returns what the compiler says about a block, or nothing if one of the forms compiles. */
  private String errors(String block) throws Exception {
    if (WHOLE_FILE.matcher(block).find()) {
      return compile(block);
    }
    String body = IMPORT.matcher(block).replaceAll("");
    String asStatements = compile(wrap(block, "void snippet() throws Exception {\n" + body + "}"));
    return asStatements.isEmpty() || compile(wrap(block, body)).isEmpty() ? "" : asStatements;
  }

  private static String wrap(String block, String members) throws Exception {
    StringBuilder source = new StringBuilder();
    IMPORT.matcher(block).results().forEach(found -> source.append(found.group()).append('\n'));
    for (String name : packages()) {
      source.append("import ").append(name).append(".*;\n");
    }
    source.append("class Snippet {\n  SessionState state = SessionState.create();\n");
    for (String name : imaginedMethods(block)) {
      source.append("  static <T> T ").append(name).append("(Object... any) { return null; }\n");
    }
    return source.append(members).append("\n}\n").toString();
  }

  private static Set<String> imaginedMethods(String block) {
    return BARE_CALL
        .matcher(block.replaceAll("//.*|\"(\\\\.|[^\"\\\\])*\"|\\bnew \\w+", ""))
        .results()
        .map((MatchResult call) -> call.group(1))
        .filter(name -> !NOT_CALLS.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> packages() throws Exception {
    Path classes = classes();
    try (Stream<Path> files = Files.walk(classes.resolve("dev"))) {
      return Stream.concat(
              Stream.of("java.util", "java.util.concurrent", "java.util.function"),
              files
                  .filter(file -> file.toString().endsWith(".class"))
                  .map(file -> classes.relativize(file.getParent()).toString())
                  .map(folder -> folder.replace(File.separatorChar, '.')))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Path classes() throws URISyntaxException {
    URI location = SessionState.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    return Path.of(location);
  }

  /** Compiles one source file and returns the errors. */
  private String compile(String source) throws Exception {
    Path file = folder.resolve(source.contains("class Main") ? "Main.java" : "Snippet.java");
    Files.writeString(file, source);
    String classPath =
        Stream.of(
                classes().toString(),
                System.getProperty("java.class.path"),
                System.getProperty("jdk.module.path"))
            .filter(Objects::nonNull)
            .collect(Collectors.joining(File.pathSeparator));
    ToolProvider javac =
        ToolProvider.findFirst("javac").orElseThrow(() -> new AssertionError("needs a JDK"));
    StringWriter errors = new StringWriter();
    PrintWriter out = new PrintWriter(errors);
    int code =
        javac.run(
            out,
            out,
            "-proc:none",
            "-nowarn",
            "--release",
            "17",
            "-classpath",
            classPath,
            "-d",
            folder.toString(),
            file.toString());
    return code == 0 ? "" : errors + "\n" + source;
  }
}
