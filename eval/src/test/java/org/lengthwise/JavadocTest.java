package org.lengthwise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A comment whose text names the result says so once, as {@code {@return ...}}. */
class JavadocTest {
  /** A comment that begins with a noun phrase or "whether". An action begins with its verb. */
  private static final Pattern NAMES_THE_RESULT =
      Pattern.compile("(?s)/\\*\\*[\\s*]*(The|An?|Whether|How) .*?\\*/");

  @Test
  void noCommentNamesTheResultAndHasAReturnTag() throws IOException {
    for (String module : List.of("data-prep", "positional", "training", "eval")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          assertThat(NAMES_THE_RESULT.matcher(Files.readString(file)).results())
              .as("%s", file)
              .extracting(comment -> comment.group())
              .filteredOn(comment -> comment.contains("* @return"))
              .isEmpty();
        }
      }
    }
  }
}
