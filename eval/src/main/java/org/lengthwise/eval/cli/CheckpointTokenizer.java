package org.lengthwise.eval.cli;

import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Option;

/** The tokenizer of a checkpoint, which a name or a file must agree with. */
final class CheckpointTokenizer {
  @Option(
      names = "--tokenizer",
      paramLabel = "SPEC",
      description = "The checkpoint's tokenizer.json, where it is neither gpt2 nor bytes.")
  private @Nullable String specification;

  /** Opens it; the caller closes it. */
  Tokenizer open(Checkpoint checkpoint) {
    TokenizerIdentity identity = checkpoint.origin().tokenizer();
    Tokenizer found = Tokenizers.of(specification == null ? identity.name() : specification);
    if (!found.sha256().equals(identity.sha256())) {
      String sha256 = found.sha256();
      found.close();
      throw new ConfigException(
          "--tokenizer",
          "the checkpoint's, with SHA-256 " + identity.sha256(),
          sha256,
          "name the tokenizer that the data was prepared with");
    }
    return found;
  }
}
