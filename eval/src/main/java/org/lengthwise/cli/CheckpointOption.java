package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class CheckpointOption {
  @Option(
      names = "--checkpoint",
      required = true,
      paramLabel = "DIR",
      description =
          "A checkpoint, a run with its newest checkpoint, or a model in Hugging Face's layout.")
  private Path folder = Path.of("");

  @Option(
      names = "--tokenizer",
      paramLabel = "SPEC",
      description =
          "The tokenizer.json of the checkpoint, if it has no copy and uses neither gpt2 nor bytes.")
  private @Nullable String specification;

  @Mixin private WeightsOption weights = new WeightsOption();

  Checkpoint open() throws IOException {
    return weights.open(folder).ofLanguageModel();
  }

  /** Opens the tokenizer of a checkpoint. The caller closes it. */
  Tokenizer tokenizer(Checkpoint checkpoint) {
    return tokenizer(checkpoint, specification);
  }

  /** Opens the tokenizer of a checkpoint, from another file if there is one. */
  static Tokenizer tokenizer(Checkpoint checkpoint, @Nullable String specification) {
    Feasibility.requireKnown(checkpoint);
    TokenizerIdentity identity = checkpoint.origin().tokenizer();
    Tokenizer found =
        Tokenizers.of(
            Optional.ofNullable(specification)
                .or(checkpoint::tokenizerName)
                .orElseThrow(
                    () ->
                        new ConfigException(
                            "--tokenizer",
                            "the tokenizer.json of the checkpoint, which has no copy",
                            "none",
                            "name the file that prepared the training data")));
    if (!found.sha256().equals(identity.sha256())) {
      String sha256 = found.sha256();
      found.close();
      throw new ConfigException(
          "--tokenizer",
          "the tokenizer of the checkpoint, with SHA-256 " + identity.sha256(),
          sha256,
          "name the tokenizer that prepared the training data");
    }
    return found;
  }
}
