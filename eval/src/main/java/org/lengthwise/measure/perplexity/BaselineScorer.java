package org.lengthwise.measure.perplexity;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.ngram.KneserNey;
import org.lengthwise.ngram.SuffixOrder;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/**
 * Scores the targets of windows with baselines. The training split is sorted once for all
 * baselines, and scanned once for each baseline, which scores all windows together.
 */
final class BaselineScorer implements AutoCloseable {
  private final ShardFolder shards;
  private final List<Baseline> baselines;
  private final List<ScoredWindows> windows;
  private final BufferAllocator allocator = new RootAllocator();
  private @Nullable SuffixOrder sorted;
  private @Nullable Baseline scored;
  private final Map<ScoredWindows, double[]> nlls = new HashMap<>();

  /**
   * Prepares the scoring.
   *
   * @param shards the data: the training split is counted, the test split has the windows
   */
  BaselineScorer(ShardFolder shards, List<Baseline> baselines, List<ScoredWindows> windows) {
    this.shards = shards;
    this.baselines = baselines;
    this.windows = windows;
  }

  /**
   * {@return the negative log-likelihood in nats of each target of some windows, window by window}
   * The context of a target is the tokens before it in its window, at most n - 1.
   *
   * @param stop throws to stop; called repeatedly
   */
  double[] score(Baseline baseline, ScoredWindows ofWindows, Runnable stop) {
    if (!baseline.equals(scored)) {
      scoreAll(baseline, stop);
    }
    return Objects.requireNonNull(nlls.get(ofWindows));
  }

  private void scoreAll(Baseline baseline, Runnable stop) {
    nlls.clear();
    SuffixOrder order = sorted == null ? sort(stop) : sorted;
    sorted = order;
    KneserNey model = new KneserNey(baseline.order(), vocabulary(), order, baseline.numTokens());
    Targets targets = new Targets(baseline.order());
    double[] all =
        tracked(
            baseline.run(),
            KneserNey.numScanned(order, targets.count()),
            stop,
            scanned -> model.nll(targets.count(), targets, scanned));
    int first = 0;
    for (ScoredWindows some : windows) {
      nlls.put(some, Arrays.copyOfRange(all, first, first + some.numTargets()));
      first += some.numTargets();
    }
    scored = baseline;
  }

  private SuffixOrder sort(Runnable stop) {
    int order = baselines.stream().mapToInt(Baseline::order).max().orElseThrow();
    long numTokens = baselines.stream().mapToLong(Baseline::numTokens).max().orElseThrow();
    TokenStream train = shards.tokens(Split.TRAIN);
    return tracked(
        "sorting the training split for baselines",
        SuffixOrder.numSorted(order, numTokens),
        stop,
        done -> new SuffixOrder(order, vocabulary(), train, numTokens, allocator, done));
  }

  /** Shows the progress of some work. */
  private static <T> T tracked(
      String name, long numTokens, Runnable stop, Function<LongConsumer, T> work) {
    try (Progress progress = ProgressReporter.start(name, "tokens", numTokens)) {
      return work.apply(
          done -> {
            progress.advanceTo(done);
            stop.run();
          });
    }
  }

  private int vocabulary() {
    return shards.manifest().tokenizer().vocabularySize();
  }

  /** The targets of all windows, each with the tokens before it. */
  private final class Targets implements IntFunction<int[]> {
    private final TokenStream test = shards.tokens(Split.TEST);
    private final int order;

    Targets(int order) {
      this.order = order;
    }

    int count() {
      return windows.stream().mapToInt(ScoredWindows::numTargets).reduce(0, Math::addExact);
    }

    @Override
    public int[] apply(int target) {
      int row = target;
      for (ScoredWindows some : windows) {
        if (row < some.numTargets()) {
          return gram(some, row);
        }
        row -= some.numTargets();
      }
      throw new IndexOutOfBoundsException(target);
    }

    private int[] gram(ScoredWindows some, int row) {
      int position = some.length() - some.scored() + row % some.scored();
      int[] gram = new int[Math.min(order, position + 1)];
      long end = some.start(row / some.scored()) + position + 1;
      test.read(end - gram.length, gram, 0, gram.length);
      return gram;
    }
  }

  @Override
  public void close() {
    if (sorted != null) {
      sorted.close();
    }
    allocator.close();
  }
}
