package dev.stillframe.examples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Where recorded conversations come from. It can be opened several times, from the start each. */
final class ConversationSource {
  private static final String SHIPPED = "conversations.json";

  private final String name;
  private final Opener opener;

  private ConversationSource(String name, Opener opener) {
    this.name = name;
    this.opener = opener;
  }

  /** Returns the small set that comes with this example. */
  static ConversationSource shipped() {
    return new ConversationSource(
        "the shipped " + SHIPPED,
        () ->
            Objects.requireNonNull(
                ConversationSource.class.getResourceAsStream(SHIPPED), "resource " + SHIPPED));
  }

  static ConversationSource file(String argument) throws BadInputException {
    String name = "'" + argument + "'";
    Path file = CommandLine.path(argument, "The file to replay");
    if (Files.notExists(file)) {
      throw new BadInputException("The file to replay must exist, but there is no " + name);
    }
    // Reading a pipe or a device might never end, and could be done only once.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      String kind = Files.isDirectory(file) ? "a folder" : "a device or a pipe";
      throw new BadInputException(
          "The file to replay must be a regular file, but " + name + " is " + kind);
    }
    return new ConversationSource(name, () -> Files.newInputStream(file));
  }

  String name() {
    return name;
  }

  InputStream open() throws IOException {
    return opener.open();
  }

  private interface Opener {
    InputStream open() throws IOException;
  }
}
