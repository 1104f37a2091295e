package org.lengthwise.dataprep.tokenizer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lengthwise.error.ConfigException;

/** Opens tokenizers by name. */
public final class Tokenizers {

  private Tokenizers() {}

  /**
   * Opens a tokenizer.
   *
   * @param specification {@code gpt2}, {@code bytes}, or the path of a {@code tokenizer.json} or of
   *     a folder that holds it
   */
  public static Tokenizer of(String specification) {
    return switch (specification) {
      case "gpt2" -> new Gpt2Tokenizer();
      case "bytes" -> new BytesTokenizer();
      default -> ofFile(specification);
    };
  }

  private static Tokenizer ofFile(String specification) {
    return file(specification)
        .map(HuggingFaceTokenizer::new)
        .orElseThrow(
            () ->
                new ConfigException(
                    "tokenizer " + specification,
                    "gpt2, bytes, or the path of a tokenizer.json or of its folder",
                    "neither a name of a tokenizer nor such a file",
                    "check the spelling and the working directory; to convert other files of a tokenizer,"
                        + " in Python: transformers.AutoTokenizer.from_pretrained(\"DIR\")"
                        + ".save_pretrained(\"NEW\")"));
  }

  /** {@return whether a name is that of a tokenizer that needs no file} */
  public static boolean isBuiltIn(String name) {
    return name.equals("gpt2") || name.equals("bytes");
  }

  /** {@return the file of a tokenizer; empty for a built-in tokenizer, and if there is none} */
  public static Optional<Path> file(String specification) {
    if (isBuiltIn(specification)) {
      return Optional.empty();
    }
    Path path = Path.of(specification);
    return Optional.of(Files.isDirectory(path) ? path.resolve("tokenizer.json") : path)
        .filter(Files::isRegularFile);
  }

  /** {@return the file of a tokenizer and those beside it that tell end-of-text} */
  public static List<Path> files(String specification) {
    return file(specification).stream()
        .flatMap(
            file ->
                Stream.concat(Stream.of(file), EndOfText.FILES.stream().map(file::resolveSibling)))
        .filter(Files::isRegularFile)
        .toList();
  }
}
