package org.lengthwise.eval.perplexity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.eval.result.EvaluatedCheckpoint;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.device.Devices;

/**
 * An evaluation of checkpoints under several protocols and at several lengths, from opened shards
 * to a results folder. Lengths that a scheme cannot read, as learned positions cannot beyond their
 * table, have no result.
 *
 * <p>It is made of cells: one checkpoint under one protocol at one length. A cell that is finished
 * is never measured again, whenever and however an earlier attempt ended.
 *
 * @param config the protocols and their settings
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
    for (ProtocolConfig protocol : config.protocols()) {
      if (lengths.get(0) < protocol.shortestLength()) {
        throw new ConfigException(
            "lengths",
            "lengths of at least %d tokens, for the protocol %s"
                .formatted(protocol.shortestLength(), protocol.protocol().label()),
            String.valueOf(lengths.get(0)),
            "leave that length out, or lower the protocol's stride");
      }
    }
  }

  /**
   * Measures checkpoints and writes the results folder, whole or not at all. What an attempt that
   * was interrupted has finished is taken over; a finished folder with the same measurements is
   * left as it is.
   *
   * @param checkpoints what to measure
   * @param shards the data, kept open by the caller
   * @param output the results folder
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if a checkpoint and the data have different tokenizers, a checkpoint
   *     can read none of the lengths, two of them would have the same name in results, or the
   *     folder holds other results
   */
  public void run(List<Checkpoint> checkpoints, ShardFolder shards, Path output)
      throws IOException {
    run(checkpoints, shards, output, () -> false);
  }

  /**
   * Measures as {@link #run(List, ShardFolder, Path)} does, unless asked to stop.
   *
   * @param checkpoints what to measure
   * @param shards the data, kept open by the caller
   * @param output the results folder
   * @param stopRequested asked after each batch whether to stop there
   * @throws IOException if a file cannot be read or written
   * @throws CancellationException if it stopped; the next attempt takes over what is finished
   */
  public void run(
      List<Checkpoint> checkpoints, ShardFolder shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      MeasuredModel.requireSameTokenizer(checkpoint, shards);
      requireFeasible(checkpoint.origin().name(), checkpoint.origin().model().position());
    }
    List<MeasuredModel> models = MeasuredModel.ofAll(checkpoints, config.positionScaling());
    Description description = describe(checkpoints, shards);
    if (ArtifactFolder.isDone(output)) {
      MeasurementFile.requireSame(output, description);
      LOG.info("{} holds these results already", output);
      return;
    }
    requireFeasible(shards);
    ArtifactFolder.createResumably(
        output,
        workspace -> {
          FinishedCells finished = FinishedCells.in(workspace);
          if (finished.count() > 0) {
            MeasurementFile.requireSame(output, workspace, description);
            LOG.info("{} results are there from an earlier attempt", finished.count());
          } else {
            workspace.clear();
            MeasurementFile.write(workspace.content(), description);
          }
          new Measurement(config, draw(shards), shards, finished, stopRequested)
              .complete(left(models, finished));
        });
  }

  /**
   * Checks that the data and the machine can serve this evaluation.
   *
   * @param shards the data
   * @throws DataFormatException if the test split is too short
   * @throws ConfigException if there is no such device
   */
  public void requireFeasible(ShardFolder shards) {
    WindowDraw draw = draw(shards);
    for (ProtocolConfig protocol : config.protocols()) {
      lengths.forEach(length -> draw.windows(protocol, length));
    }
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

  private WindowDraw draw(ShardFolder shards) {
    return new WindowDraw(
        Stretches.ofTest(shards, config.withinDocument()),
        lengths.get(lengths.size() - 1),
        config.seed());
  }

  private List<Measurement.Task> left(List<MeasuredModel> models, FinishedCells finished) {
    return models.stream()
        .map(
            model ->
                new Measurement.Task(
                    model, cells(model).filter(cell -> !finished.contain(cell)).toList()))
        .filter(task -> !task.cells().isEmpty())
        .toList();
  }

  /** What a model is measured by, at those of the lengths that it can read. */
  private Stream<Cell> cells(MeasuredModel model) {
    EvaluatedCheckpoint subject = model.described();
    // The last token of a window is a target alone.
    List<Integer> readable = model.readable(lengths, 1);
    return config.protocols().stream()
        .flatMap(protocol -> readable.stream().map(length -> new Cell(subject, protocol, length)));
  }

  /**
   * All that decides the numbers of an evaluation.
   *
   * @param checkpoints what is measured
   * @param dataSha256 the data's checksum
   * @param config the protocols and their settings
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
