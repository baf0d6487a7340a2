package dev.stillframe.trace.store;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts JVMs with the class path of the tests. */
final class ChildJvm {
  private ChildJvm() {}

  static Process start(List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(main), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Returns where classes are, whether this JVM has them on its class path or its module path. */
  private static String classPath(Class<?> main) {
    return Stream.concat(
            Stream.of(FileTraceStore.class, main).map(ChildJvm::location),
            Stream.of("java.class.path", "jdk.module.path").map(System::getProperty))
        .filter(Objects::nonNull)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String location(Class<?> type) {
    String name = type.getName().replace('.', '/') + ".class";
    String url = Objects.requireNonNull(type.getResource("/" + name)).toString();
    return Path.of(URI.create(url.substring(0, url.length() - name.length()))).toString();
  }
}
