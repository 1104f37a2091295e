package org.lengthwise.measure.perplexity;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.ngram.KneserNey;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/**
 * Scores the targets of windows with a baseline. Only the counts of one baseline are in memory at a
 * time.
 */
final class BaselineScorer implements AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(BaselineScorer.class);

  private final ShardFolder shards;
  private final BufferAllocator allocator = new RootAllocator();
  private @Nullable Baseline counted;
  private @Nullable KneserNey model;

  BaselineScorer(ShardFolder shards) {
    this.shards = shards;
  }

  /**
   * Scores targets. The context of a target is the tokens before it in its window, at most n - 1.
   *
   * @param baseline the baseline
   * @param stream the tokens of the windows
   * @param windows the windows
   * @return the negative log-likelihood of each target in nats, window by window
   */
  double[] score(Baseline baseline, TokenStream stream, ScoredWindows windows) {
    KneserNey counts = counts(baseline);
    int[][] grams = new int[windows.numTargets()][];
    int row = 0;
    for (int window = 0; window < windows.count(); window++) {
      for (int target = windows.length() - windows.scored(); target < windows.length(); target++) {
        int[] gram = new int[Math.min(baseline.order(), target + 1)];
        stream.read(windows.start(window) + target + 1 - gram.length, gram, 0, gram.length);
        grams[row++] = gram;
      }
    }
    return counts.nll(grams, scanned -> {});
  }

  private KneserNey counts(Baseline baseline) {
    if (model != null && baseline.equals(counted)) {
      return model;
    }
    closeModel();
    long numSorted = KneserNey.numSorted(baseline.order(), baseline.numTokens());
    try (Progress progress = ProgressReporter.start(baseline.run(), "tokens", numSorted)) {
      KneserNey made =
          new KneserNey(
              baseline.order(),
              shards.manifest().tokenizer().vocabularySize(),
              shards.tokens(Split.TRAIN),
              baseline.numTokens(),
              allocator,
              progress::advanceTo);
      model = made;
      counted = baseline;
      LOG.info("{}: {}", baseline.run(), baseline.described().path());
      return made;
    }
  }

  private void closeModel() {
    if (model != null) {
      model.close();
      model = null;
    }
  }

  @Override
  public void close() {
    closeModel();
    allocator.close();
  }
}
