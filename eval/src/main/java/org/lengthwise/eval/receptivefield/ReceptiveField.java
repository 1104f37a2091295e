package org.lengthwise.eval.receptivefield;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.perplexity.MeasuredModel;
import org.lengthwise.eval.perplexity.MeasurementFile;
import org.lengthwise.eval.perplexity.Note;
import org.lengthwise.eval.result.GradientNorms;
import org.lengthwise.eval.result.GradientNormsFile;
import org.lengthwise.eval.result.ModelState;
import org.lengthwise.eval.result.ReceptiveFieldFile;
import org.lengthwise.eval.result.ReceptiveFieldResult;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.model.ModelConfig;

/**
 * A measurement of receptive fields: of trained models and of the same models before training, at
 * one length or several. Lengths that a scheme cannot read have no result.
 *
 * @param lengths each T, the positions of a chunk
 * @param samples over how many chunks of the test split a curve is averaged, at least 2
 */
public record ReceptiveField(List<Integer> lengths, int samples) {
  private static final Logger LOG = LogManager.getLogger(ReceptiveField.class);

  /** Checks the values. */
  public ReceptiveField {
    lengths = lengths.stream().distinct().sorted().toList();
    if (lengths.isEmpty() || lengths.get(0) < 1) {
      throw new IllegalArgumentException(
          "lengths: expected lengths of at least 1 position, found " + lengths);
    }
    if (samples < 2) {
      throw new IllegalArgumentException("samples: expected at least 2, found " + samples);
    }
  }

  /**
   * Measures checkpoints and writes the results' folder. Interrupted and started again, it keeps
   * each model, set of weights and length that was finished; a finished folder with the same
   * measurement is left as it is.
   *
   * @param checkpoints what to measure
   * @param shards the data, kept open by the caller
   * @param config the seed of the draw, the scalings, the memory limit, the precision, the device
   * @param output the results' folder
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if a checkpoint and the data have different tokenizers, a checkpoint
   *     can read none of the lengths, or the folder holds another measurement
   * @throws DataFormatException if the test split is shorter than a chunk
   */
  public void run(
      List<Checkpoint> checkpoints, ShardFolder shards, EvaluationConfig config, Path output)
      throws IOException {
    run(checkpoints, shards, config, output, () -> false);
  }

  /**
   * Measures as {@link #run(List, ShardFolder, EvaluationConfig, Path)} does, unless asked to stop.
   *
   * @param checkpoints what to measure
   * @param shards the data, kept open by the caller
   * @param config the seed of the draw, the scalings, the memory limit, the precision, the device
   * @param output the results' folder
   * @param stopRequested asked after each batch whether to stop there
   * @throws IOException if a file cannot be read or written
   * @throws CancellationException if it stopped; the next attempt takes over what is finished
   */
  public void run(
      List<Checkpoint> checkpoints,
      ShardFolder shards,
      EvaluationConfig config,
      Path output,
      BooleanSupplier stopRequested)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      MeasuredModel.requireSameTokenizer(checkpoint, shards);
      requireReads(checkpoint.origin());
    }
    Description description = describe(checkpoints, shards, config);
    if (ArtifactFolder.isDone(output)) {
      MeasurementFile.requireSame(output, description);
      LOG.info("{} holds these receptive fields already", output);
      return;
    }
    requireFeasible(shards);
    Devices.of(config.device());
    List<Cell> cells = cells(MeasuredModel.ofAll(checkpoints, config.positionScaling()));
    ArtifactFolder.createResumably(
        output,
        workspace -> {
          takeUp(output, workspace, description);
          measure(
              cells,
              new CellMeasurement(shards.tokens(Split.TEST), samples, config),
              workspace,
              stopRequested);
          ReceptiveFieldFile.write(
              workspace.content(), summarise(cells, workspace.content(), description.dataSha256()));
        });
  }

  /**
   * Checks that the data can serve this measurement.
   *
   * @param shards the data
   * @throws DataFormatException if the test split is shorter than a chunk and its target
   */
  public void requireFeasible(ShardFolder shards) {
    long numTokens = shards.tokens(Split.TEST).numTokens();
    int longest = lengths.get(lengths.size() - 1);
    if (numTokens <= longest) {
      throw new DataFormatException(
          "test split",
          "at least " + (longest + 1L) + " tokens",
          numTokens + " tokens",
          "prepare more text, raise split.test, or ask for a shorter length");
    }
  }

  private void requireReads(ModelOrigin origin) {
    MeasuredModel.requireReads(
        origin.name(), origin.model().position(), "receptive field at " + lengths, lengths.get(0));
  }

  /** An earlier attempt's cells count only if they are of this very measurement. */
  private static void takeUp(Path output, Workspace workspace, Description description)
      throws IOException {
    if (Files.exists(workspace.progress())) {
      MeasurementFile.requireSame(output, workspace, description);
      return;
    }
    workspace.clear();
    MeasurementFile.write(workspace.content(), description);
    new Note(0).write(workspace);
  }

  private List<Cell> cells(List<MeasuredModel> models) {
    List<Cell> cells = new ArrayList<>();
    for (MeasuredModel model : models) {
      List<Integer> readable = model.readable(lengths, 0);
      for (ModelState state : ModelState.values()) {
        readable.forEach(length -> cells.add(new Cell(model, state, length)));
      }
    }
    return cells;
  }

  private static void stopIf(BooleanSupplier requested) {
    if (requested.getAsBoolean()) {
      throw new CancellationException("asked to stop");
    }
  }

  private void measure(
      List<Cell> cells,
      CellMeasurement measurement,
      Workspace workspace,
      BooleanSupplier stopRequested)
      throws IOException {
    List<Cell> open =
        cells.stream().filter(cell -> !Files.exists(cell.file(workspace.content()))).toList();
    int finished = cells.size() - open.size();
    if (finished > 0) {
      LOG.info("{} of {} curves were measured before", finished, cells.size());
    }
    long total = open.stream().mapToLong(cell -> (long) cell.length() * samples).sum();
    try (Progress progress = ProgressReporter.start("receptive fields", "tokens", total)) {
      long before = 0;
      for (Cell cell : open) {
        progress.message(
            "%s %s at %d".formatted(cell.model().name(), cell.state().label(), cell.length()));
        long start = before;
        measurement.measure(
            cell,
            workspace.content(),
            read -> {
              progress.advanceTo(start + read);
              stopIf(stopRequested);
            });
        before += (long) cell.length() * samples;
        new Note(++finished).write(workspace);
      }
    }
  }

  private static List<ReceptiveFieldResult> summarise(
      List<Cell> cells, Path folder, String dataSha256) throws IOException {
    List<ReceptiveFieldResult> results = new ArrayList<>();
    for (Cell trained : cells) {
      if (trained.state() == ModelState.TRAINED) {
        ModelConfig config = trained.model().model();
        results.add(
            ReceptiveFieldResult.of(
                trained.model().described(),
                dataSha256,
                Math.toIntExact(
                    config.position().receptiveField(config.layers(), trained.length())),
                read(trained, folder),
                read(new Cell(trained.model(), ModelState.UNTRAINED, trained.length()), folder)));
      }
    }
    return results;
  }

  private static GradientNorms read(Cell cell, Path folder) throws IOException {
    return GradientNormsFile.read(cell.file(folder));
  }

  /**
   * All that decides the numbers of a measurement.
   *
   * @param checkpoints what is measured
   * @param dataSha256 the data's checksum
   * @param seed the seed of the draw
   * @param positionScaling what happens to positions beyond the training length
   * @param memoryLimitMegabytes what a pass may keep, which decides how chunks are batched
   * @param precision the format of the model's products
   * @param device where it runs
   * @param lengths the positions of a chunk
   * @param samples over how many chunks a curve is averaged
   */
  private record Description(
      List<MeasurementFile.Subject> checkpoints,
      String dataSha256,
      long seed,
      List<PositionScaling> positionScaling,
      int memoryLimitMegabytes,
      Precision precision,
      String device,
      List<Integer> lengths,
      int samples) {}

  private Description describe(
      List<Checkpoint> checkpoints, ShardFolder shards, EvaluationConfig config) {
    return new Description(
        checkpoints.stream().map(MeasurementFile.Subject::of).toList(),
        DataIdentity.of(shards.manifest()).sha256(),
        config.seed(),
        config.positionScaling(),
        config.memoryLimitMegabytes(),
        config.precision(),
        config.device(),
        lengths,
        samples);
  }
}
