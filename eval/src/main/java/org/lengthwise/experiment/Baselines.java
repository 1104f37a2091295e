package org.lengthwise.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.perplexity.Baseline;
import org.lengthwise.measure.perplexity.Evaluation;

/**
 * The n-gram baselines of an experiment. They have read the tokens that its runs read, a number
 * that follows from the configuration of a run, so they need no run.
 *
 * @param config the section, whose measurements know the training lengths of all runs
 * @param read the tokens that each trained run on a text read, with those of its sources
 */
record Baselines(ExperimentConfig config, Collection<ExperimentRun> runs, List<Long> read) {

  /** The baselines, none if the experiment has none. */
  List<Baseline> of(ShardSource shards) {
    if (config.ofBaselines().isEmpty()) {
      return List.of();
    }
    return Baseline.ofAll(
        config.baselineOrders(),
        shards.folder(),
        read,
        runs.stream()
            .filter(run -> run.task().isEmpty())
            .mapToInt(ExperimentRun::length)
            .min()
            .orElseThrow());
  }

  /**
   * Measures the baselines on the CPU, which the experiment must have.
   *
   * @throws java.util.concurrent.CancellationException if a stop was requested
   */
  void measure(ShardSource shards, Path results, BooleanSupplier stopRequested) throws IOException {
    Evaluation evaluation = config.ofBaselines().orElseThrow();
    new Evaluation(evaluation.config().onCpu(), evaluation.lengths())
        .run(List.of(), of(shards), shards.folder(), results, stopRequested);
  }
}
