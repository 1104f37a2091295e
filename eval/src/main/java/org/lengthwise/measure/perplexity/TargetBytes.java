package org.lengthwise.measure.perplexity;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * Counts the bytes of text of targets. The number is unknown if the tokenizer of the data is
 * neither built in nor in one of the checkpoints.
 */
final class TargetBytes {
  private static final Logger LOG = LogManager.getLogger(TargetBytes.class);

  private final TokenizerIdentity tokenizer;

  /** The bytes of each id; null if they are unknown. */
  private final int @Nullable [] numBytes;

  TargetBytes(TokenizerIdentity tokenizer, List<Checkpoint> checkpoints) {
    this.tokenizer = tokenizer;
    numBytes =
        numBytes(
            checkpoints.stream()
                .flatMap(checkpoint -> checkpoint.tokenizerFile().stream())
                .map(Path::toString)
                .findFirst()
                .orElse(tokenizer.name()));
  }

  private int @Nullable [] numBytes(String specification) {
    try (Tokenizer found = Tokenizers.of(specification)) {
      if (found.sha256().equals(tokenizer.sha256())) {
        return IntStream.range(0, found.vocabularySize()).map(found::numBytes).toArray();
      }
    } catch (ConfigException e) {
      LOG.debug("no tokenizer {}", specification, e);
    }
    LOG.warn("no bits per byte: no checkpoint has the file of its tokenizer {}", tokenizer.name());
    return null;
  }

  EvaluationResult.Text of(ScoredTargets scored, TokenStream split) {
    if (numBytes == null) {
      return new EvaluationResult.Text(null, tokenizer.sha256());
    }
    int[] id = new int[1];
    long sum = 0;
    for (int row = 0; row < scored.count(); row++) {
      split.read(scored.target(row), id, 0, 1);
      sum += numBytes[id[0]];
    }
    return new EvaluationResult.Text(sum, tokenizer.sha256());
  }
}
