package org.lengthwise.measure.perplexity;

import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.BatchPlan;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.device.Devices;

/**
 * The scope of an evaluation: perplexity under several protocols at several lengths. A scheme has
 * no results at lengths that it cannot read, such as learned positions beyond their table.
 *
 * @param config the protocols and their settings
 * @param lengths each T_ex in tokens, at least 2
 */
public record Evaluation(EvaluationConfig config, Lengths lengths) {

  /** Requires lengths of at least 2 tokens, and long enough for each protocol. */
  public Evaluation {
    for (int length : lengths.all()) {
      for (ProtocolConfig protocol : config.protocols()) {
        if (length < protocol.shortestLength()) {
          throw new ConfigException(
              "lengths",
              "lengths of at least %s tokens, for the protocol %s"
                  .formatted(protocol.shortestLength(), protocol.protocol().label()),
              String.valueOf(length),
              "remove that length, or lower the protocol's stride");
        }
      }
    }
  }

  /**
   * An evaluation at lengths that do not depend on the training lengths of models.
   *
   * @param config the protocols and their settings
   * @param lengths each T_ex in tokens, at least 2; in any order
   */
  public Evaluation(EvaluationConfig config, List<Integer> lengths) {
    this(config, new Lengths(lengths));
  }

  /**
   * Measures checkpoints and baselines into a results folder, as {@link MeasurementFolder#complete}
   * describes.
   *
   * @param shards the data; the caller closes it
   * @param stopRequested read after each batch: whether to stop
   * @throws ConfigException if a checkpoint and the data have different tokenizers, a checkpoint
   *     can read none of the lengths, two models would have the same name in results, or the folder
   *     holds another measurement
   * @throws CancellationException if a stop was requested; the next attempt resumes
   */
  public void run(
      List<Checkpoint> checkpoints,
      List<Baseline> baselines,
      ShardFolder shards,
      Path output,
      BooleanSupplier stopRequested)
      throws IOException {
    List<Integer> trainLengths = checkpoints.stream().map(one -> one.origin().length()).toList();
    Evaluation ofAll = new Evaluation(config, lengths.among(trainLengths));
    for (Checkpoint checkpoint : checkpoints) {
      Feasibility.requireSameTokenizer(checkpoint, shards);
      ModelOrigin origin = checkpoint.origin();
      requireFeasible(origin.name(), origin.length(), origin.model().position(), origin::allows);
      checkpoint.requireFinite(Collections.max(lengths.forTraining(origin.length())));
    }
    try (PerplexityMeasurement measurement =
        new PerplexityMeasurement(ofAll, checkpoints, baselines, shards)) {
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

  /**
   * Checks that data and machine can serve this evaluation.
   *
   * @throws DataFormatException if the test split is too short
   * @throws ConfigException if the machine does not have the device
   */
  public void requireFeasible(ShardFolder shards) {
    WindowDraw draw = draw(shards);
    for (ProtocolConfig protocol : config.protocols()) {
      lengths.all().forEach(length -> draw.windows(protocol, length));
    }
    Devices.of(config.settings().device());
  }

  /**
   * Checks that a run's model can be measured.
   *
   * @param trainLength its T_tr
   * @param allowed the changes at test time that it allows
   * @throws ConfigException if the model can read none of the lengths, or allows none of the
   *     changes
   */
  public void requireFeasible(
      String name, int trainLength, PositionalScheme scheme, Predicate<PositionChange> allowed) {
    Feasibility.changes(name, scheme, allowed, config.changes());
    List<Integer> ofModel = lengths.forTraining(trainLength);
    Feasibility.requireReads(name, scheme, "lengths " + ofModel, ofModel.get(0) - 1);
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
