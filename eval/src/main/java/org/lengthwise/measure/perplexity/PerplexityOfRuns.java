package org.lengthwise.measure.perplexity;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The perplexity under several protocols at several lengths.
 *
 * @param lengths each T_ex, the length of a window, at least 2
 * @param config how the perplexity is measured
 */
@JsonTypeName("perplexity")
public record PerplexityOfRuns(
    @Unit("tokens") Lengths lengths, @JsonUnwrapped EvaluationConfig config)
    implements MeasurementConfig.OfRun {

  /** Requires lengths of at least 2 tokens. */
  public PerplexityOfRuns {
    lengths.values().forEach(length -> Checks.atLeast("lengths", length, 2));
  }

  private Evaluation evaluation() {
    return new Evaluation(config, lengths);
  }

  @Override
  public String folder() {
    return "evaluation";
  }

  @Override
  public MeasurementSettings settings() {
    return config.settings();
  }

  /** Runs on strings have other measurements. */
  @Override
  public boolean isOf(ExperimentRun run) {
    return run.task().isEmpty();
  }

  @Override
  public PerplexityOfRuns among(List<Integer> trainLengths) {
    return new PerplexityOfRuns(lengths.among(trainLengths), config);
  }

  @Override
  public void requireFeasible(ShardSource shards) {
    evaluation().requireFeasible(shards.folder());
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireText(run, "perplexity");
    Feasibility.requireSameTokenizer(run, shards);
    evaluation().requireFeasible(run.name(), run.length(), run.position(), run::allows);
  }

  @Override
  public List<Pass> passes(ExperimentRun run) {
    long changes =
        Feasibility.changes(run.name(), run.position(), run::allows, config.changes()).size();
    int longest = evaluation().longest();
    List<Pass> passes = new ArrayList<>();
    for (ProtocolConfig protocol : config.protocols()) {
      for (int length : lengths.forTraining(run.length())) {
        long windows = (long) protocol.samples() * protocol.windowsPerSample(longest, length);
        passes.add(new Pass(length - 1, changes * windows, protocol.scored(length) == 1));
      }
    }
    return passes;
  }

  @Override
  public void measure(
      Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    evaluation().run(List.of(checkpoint), List.of(), shards.folder(), output, stopRequested);
  }

  /**
   * Measures baselines on the targets of the runs, or resumes. No device decides their numbers.
   *
   * @param stopRequested read repeatedly: whether to stop
   * @throws java.util.concurrent.CancellationException if a stop was requested
   */
  public void measure(
      List<Baseline> baselines, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    new Evaluation(config.onCpu(), lengths)
        .run(List.of(), baselines, shards.folder(), output, stopRequested);
  }
}
