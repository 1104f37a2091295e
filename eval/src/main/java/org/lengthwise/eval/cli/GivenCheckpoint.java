package org.lengthwise.eval.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import picocli.CommandLine.Option;

/** A checkpoint whose text is read or written, with its tokenizer. */
final class GivenCheckpoint {
  @Option(
      names = "--checkpoint",
      required = true,
      paramLabel = "DIR",
      description = "A checkpoint, or a run, which stands for its newest checkpoint.")
  private Path folder = Path.of("");

  @Option(
      names = "--tokenizer",
      paramLabel = "SPEC",
      description = "The checkpoint's tokenizer.json, where it is neither gpt2 nor bytes.")
  private @Nullable String specification;

  Checkpoint open() throws IOException {
    return RunFolder.resolve(folder);
  }

  /** Opens the tokenizer of an opened checkpoint, to be closed by the caller. */
  Tokenizer tokenizer(Checkpoint checkpoint) {
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
