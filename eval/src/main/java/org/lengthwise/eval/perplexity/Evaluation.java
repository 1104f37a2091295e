package org.lengthwise.eval.perplexity;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.result.EvaluationFile;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.result.NllFile;
import org.lengthwise.eval.result.ScoredTargets;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;

/**
 * An evaluation of checkpoints at several lengths, from opened shards to a results folder. Lengths
 * that a scheme cannot read, as learned positions cannot beyond their table, have no result.
 *
 * @param config the protocol and its settings
 * @param lengths each T_ex in tokens, at least 2
 */
public record Evaluation(EvaluationConfig config, List<Integer> lengths) {
  private static final Logger LOG = LogManager.getLogger(Evaluation.class);

  /** Checks the values. */
  public Evaluation {
    lengths = lengths.stream().distinct().sorted().toList();
    if (lengths.isEmpty() || lengths.get(0) < 2) {
      throw new IllegalArgumentException(
          "lengths: expected lengths of at least 2 tokens, found " + lengths);
    }
  }

  /**
   * Measures checkpoints and writes the results folder, whole or not at all. A finished folder with
   * the same measurements is left as it is.
   *
   * @param checkpoints what to measure
   * @param shards the data, kept open by the caller
   * @param output the results folder
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if a checkpoint and the data have different tokenizers, a checkpoint
   *     can read none of the lengths, or the folder holds other results
   */
  public void run(List<Checkpoint> checkpoints, ShardFolder shards, Path output)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      MeasuredModel.requireSameTokenizer(checkpoint, shards);
      requireFeasible(checkpoint.origin().name(), checkpoint.origin().model().position());
    }
    if (ArtifactFolder.isDone(output)) {
      MeasurementFile.requireSame(output, describe(checkpoints, shards));
      LOG.info("{} holds these results already", output);
      return;
    }
    ArtifactFolder.create(output, temporary -> measure(checkpoints, shards, temporary));
  }

  /**
   * Checks that the data and the machine can serve this evaluation.
   *
   * @param shards the data
   * @throws DataFormatException if the test split is too short
   * @throws ConfigException if there is no such device
   */
  public void requireFeasible(ShardFolder shards) {
    draw(shards.tokens(Split.TEST));
    Devices.of(config.device());
  }

  /**
   * Checks that a run's model can be measured like this.
   *
   * @param name the run's name
   * @param scheme its positional scheme
   * @throws ConfigException if it can read none of the lengths, or has none of the scalings
   */
  public void requireFeasible(String name, PositionalScheme scheme) {
    MeasuredModel.scalings(name, scheme, config.positionScaling());
    MeasuredModel.requireReads(name, scheme, "lengths " + lengths, lengths.get(0) - 1);
  }

  private TargetDraw draw(TokenStream test) {
    return new TargetDraw(test.numTokens(), lengths.get(lengths.size() - 1), config);
  }

  private void measure(List<Checkpoint> checkpoints, ShardFolder shards, Path folder)
      throws IOException {
    List<EvaluationResult> results = new ArrayList<>();
    for (Checkpoint checkpoint : checkpoints) {
      for (MeasuredModel model : models(checkpoint)) {
        results.addAll(measure(model, shards, folder));
      }
    }
    EvaluationFile.write(folder, results);
    MeasurementFile.write(folder, describe(checkpoints, shards));
  }

  private List<MeasuredModel> models(Checkpoint checkpoint) {
    return MeasuredModel.of(checkpoint, config.positionScaling());
  }

  /** Those of the lengths that the model can read; the others are named, and have no result. */
  private List<Integer> readable(MeasuredModel model) {
    long longest = model.model().position().longestLength();
    List<Integer> readable = lengths.stream().filter(length -> length - 1 <= longest).toList();
    if (readable.size() < lengths.size()) {
      LOG.warn(
          "{} cannot read further than {} positions: no results at {}",
          model.name(),
          longest,
          lengths.subList(readable.size(), lengths.size()));
    }
    return readable;
  }

  private List<EvaluationResult> measure(MeasuredModel model, ShardFolder shards, Path folder)
      throws IOException {
    List<Integer> readable = readable(model);
    TokenStream test = shards.tokens(Split.TEST);
    TargetDraw draw = draw(test);
    Device device = Devices.of(config.device());
    List<EvaluationResult> results = new ArrayList<>();
    try (NDManager manager = NDManager.newBaseManager(device, "PyTorch");
        Weights weights = model.checkpoint().weights(device);
        Decoder decoder = new Decoder(model.model(), weights, config.precision());
        Progress progress =
            ProgressReporter.start(
                "evaluate " + model.name(),
                "tokens",
                readable.stream().mapToLong(length -> (long) length * config.chunks()).sum())) {
      LastTokenEvaluator evaluator =
          new LastTokenEvaluator(decoder, manager, config.memoryLimitMegabytes());
      long tokensDone = 0;
      for (int length : readable) {
        long before = tokensDone;
        long[] targets = draw.targets(length);
        double[] nlls =
            evaluator.score(
                test, targets, length, scored -> progress.advanceTo(before + scored * length));
        ScoredTargets scored = ScoredTargets.of(targets, nlls);
        EvaluationResult result =
            EvaluationResult.of(
                model.described(),
                config.protocol(),
                length,
                scored,
                DataIdentity.of(shards.manifest()).sha256());
        NllFile.write(folder, result, scored);
        results.add(result);
        progress.message("%d: %.3f".formatted(length, result.perplexity()));
        tokensDone += (long) length * config.chunks();
      }
    }
    return results;
  }

  /**
   * All that decides the numbers of an evaluation.
   *
   * @param checkpoints what is measured
   * @param dataSha256 the data's checksum
   * @param config the protocol and its settings
   * @param lengths each T_ex in tokens
   */
  private record Description(
      List<MeasurementFile.Subject> checkpoints,
      String dataSha256,
      EvaluationConfig config,
      List<Integer> lengths) {}

  private Description describe(List<Checkpoint> checkpoints, ShardFolder shards) {
    return new Description(
        checkpoints.stream().map(MeasurementFile.Subject::of).toList(),
        DataIdentity.of(shards.manifest()).sha256(),
        config,
        lengths);
  }
}
