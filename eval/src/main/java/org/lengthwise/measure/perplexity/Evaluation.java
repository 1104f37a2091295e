package org.lengthwise.measure.perplexity;

import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.BatchPlan;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.device.Devices;

/**
 * The perplexity under several protocols at several lengths. A scheme has no results at lengths
 * that it cannot read, such as learned positions beyond their table.
 *
 * @param config the protocols and their settings
 * @param lengths each T_ex in tokens, at least 2
 */
@JsonTypeName("perplexity")
public record Evaluation(@JsonUnwrapped EvaluationConfig config, @Unit("tokens") Lengths lengths)
    implements MeasurementConfig.OfRun {

  public Evaluation {
    for (int length : lengths.all()) {
      for (ProtocolConfig protocol : config.protocols()) {
        if (length < protocol.shortestLength()) {
          throw new InvalidValueException(
              "lengths",
              "lengths of at least %s tokens, for the protocol %s"
                  .formatted(protocol.shortestLength(), protocol.protocol().label()),
              String.valueOf(length));
        }
      }
    }
  }

  public Evaluation(EvaluationConfig config, List<Integer> lengths) {
    this(config, new Lengths(lengths));
  }

  @Override
  public String folder() {
    return "evaluation";
  }

  @Override
  public MeasurementSettings settings() {
    return config.settings();
  }

  @Override
  public List<PositionChange> changes() {
    return config.changes();
  }

  /** Runs on strings have other measurements. */
  @Override
  public boolean isOf(ExperimentRun run) {
    return run.task().isEmpty();
  }

  @Override
  public Evaluation among(List<Integer> trainLengths) {
    Lengths found = lengths.among(trainLengths);
    try {
      return new Evaluation(config, found);
    } catch (InvalidValueException e) {
      throw new ConfigException(
          e.key(),
          e.expected(),
          e.found(),
          "remove that length, or lower the protocol's stride",
          e);
    }
  }

  @Override
  public void requireFeasible(ShardSource shards) {
    requireWindows(shards.folder());
  }

  /** Checks that data and machine can serve this evaluation. */
  void requireWindows(ShardFolder shards) {
    WindowDraw draw = draw(shards);
    for (ProtocolConfig protocol : config.protocols()) {
      lengths.all().forEach(length -> draw.windows(protocol, length));
    }
    Devices.of(config.settings().device());
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireText(run, "perplexity");
    Feasibility.requireSameTokenizer(run, shards);
    requireReads(run);
  }

  private void requireReads(ExperimentRun run) {
    changes(run);
    List<Integer> ofModel = lengths.forTraining(run.length());
    Feasibility.requireReads(run.name(), run.position(), "lengths " + ofModel, ofModel.get(0) - 1);
  }

  @Override
  public List<Pass> passes(ExperimentRun run) {
    long changes = changes(run).size();
    List<Pass> passes = new ArrayList<>();
    for (ProtocolConfig protocol : config.protocols()) {
      for (int length : lengths.forTraining(run.length())) {
        long windows = (long) protocol.samples() * protocol.windowsPerSample(longest(), length);
        passes.add(new Pass(length - 1, changes * windows, protocol.scored(length) == 1));
      }
    }
    return passes;
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards)
      throws IOException {
    return of(checkpoints, List.of(), shards.folder());
  }

  private PerplexityMeasurement of(
      List<Checkpoint> checkpoints, List<Baseline> baselines, ShardFolder shards)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      checkpoint.requireFinite(Collections.max(lengths.forTraining(checkpoint.origin().length())));
    }
    Evaluation ofAll = among(checkpoints.stream().map(one -> one.origin().length()).toList());
    return new PerplexityMeasurement(ofAll, checkpoints, baselines, shards);
  }

  /**
   * Measures checkpoints and baselines into a results folder, as {@link MeasurementFolder#complete}
   * describes.
   *
   * @param shards the data; the caller closes it
   * @throws ConfigException if a checkpoint and the data have different tokenizers, a checkpoint
   *     can read none of the lengths, two models would have the same name in results, or the folder
   *     holds another measurement
   */
  public void run(
      List<Checkpoint> checkpoints,
      List<Baseline> baselines,
      ShardFolder shards,
      Path output,
      BooleanSupplier stopRequested)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      Feasibility.requireSameTokenizer(checkpoint, shards);
      requireReads(ExperimentRun.of(checkpoint));
    }
    try (PerplexityMeasurement measurement = of(checkpoints, baselines, shards)) {
      measurement.complete(output, stopRequested);
    }
  }

  /**
   * {@return the scores of a model in memory: the same targets and numbers that {@link #run} stores
   * for a model without BOS}
   *
   * @param manager the parent of the managers of each pass, on the model's device
   * @param shards the data; the caller closes it
   * @param length one of the lengths, which the model's scheme must be able to read
   * @throws DataFormatException if the test split is too short
   */
  public ScoredTargets score(
      LanguageModel model,
      NDManager manager,
      ShardFolder shards,
      ProtocolConfig protocol,
      int length) {
    ScoredWindows windows = draw(shards).windows(protocol, length);
    int limit = config.settings().memoryLimitMegabytes();
    BatchPlan plan = BatchPlan.on(model.config(), limit, manager.getDevice());
    double[] nlls =
        new WindowEvaluator(model, manager, plan, Optional.empty())
            .score(shards.tokens(Split.TEST), windows, count -> {});
    return windows.with(nlls);
  }

  WindowDraw draw(ShardFolder shards) {
    return new WindowDraw(
        Segments.ofTest(shards, config.withinDocument()), longest(), config.seed());
  }

  /** T_max of all models that are measured together, which decides the windows. */
  int longest() {
    return Collections.max(lengths.all());
  }
}
