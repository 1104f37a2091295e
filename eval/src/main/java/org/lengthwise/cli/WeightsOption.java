package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.interchange.ModelFolder;
import picocli.CommandLine.Option;

/** The option that chooses how a model's weights lie in memory. */
final class WeightsOption {
  private static final String STORED = "stored";
  private static final String FLOAT32 = "float32";

  @Option(
      names = "--weights",
      paramLabel = "stored|float32",
      description =
          "stored keeps matrices in 16 bits if a folder in Hugging Face's layout stores them so, and"
              + " widens one at a time. float32 needs more memory and is faster. Results are equal."
              + " Default: stored.")
  private String format = STORED;

  Checkpoint open(Path folder) throws IOException {
    try {
      Checks.oneOf("weights", format, List.of(STORED, FLOAT32));
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
    Checkpoint opened = ModelFolder.open(folder);
    return format.equals(FLOAT32) ? opened.widened() : opened;
  }
}
