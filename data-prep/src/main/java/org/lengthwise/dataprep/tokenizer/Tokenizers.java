package org.lengthwise.dataprep.tokenizer;

import java.nio.file.Files;
import java.nio.file.Path;
import org.lengthwise.error.ConfigException;

/** Opens tokenizers by name. */
public final class Tokenizers {

  private Tokenizers() {}

  /**
   * Opens a tokenizer.
   *
   * @param specification {@code gpt2}, {@code bytes}, or the path of a {@code tokenizer.json}
   * @return the tokenizer; the caller closes it
   * @throws ConfigException if the specification is none of the three
   */
  public static Tokenizer of(String specification) {
    return switch (specification) {
      case "gpt2" -> new Gpt2Tokenizer();
      case "bytes" -> new BytesTokenizer();
      default -> ofFile(specification);
    };
  }

  private static Tokenizer ofFile(String specification) {
    Path path = Path.of(specification);
    if (!Files.isRegularFile(path)) {
      throw new ConfigException(
          "tokenizer " + specification,
          "gpt2, bytes, or the path of a tokenizer.json",
          "neither a name of a tokenizer nor a file",
          "check the spelling and the working directory");
    }
    return new HuggingFaceTokenizer(path);
  }
}
