package org.lengthwise.eval.perplexity;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.result.ScoredTargets;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;

/** The work of an evaluation that is left to do: cell after cell, under one progress report. */
final class Measurement {

  /**
   * A model and those of its cells that are left to do.
   *
   * @param model the model
   * @param cells at least one
   */
  record Task(MeasuredModel model, List<Cell> cells) {}

  private final EvaluationConfig config;
  private final WindowDraw draw;
  private final FinishedCells finished;
  private final TokenStream test;
  private final String dataSha256;
  private final BooleanSupplier stopRequested;
  private long tokensDone;

  Measurement(
      EvaluationConfig config,
      WindowDraw draw,
      ShardFolder shards,
      FinishedCells finished,
      BooleanSupplier stopRequested) {
    this.config = config;
    this.draw = draw;
    this.finished = finished;
    this.test = shards.tokens(Split.TEST);
    this.dataSha256 = DataIdentity.of(shards.manifest()).sha256();
    this.stopRequested = stopRequested;
  }

  /** Measures all cells; each is on the disk before the next one begins. */
  void complete(List<Task> tasks) throws IOException {
    long tokens =
        tasks.stream()
            .flatMap(task -> task.cells().stream())
            .mapToLong(cell -> windows(cell).numTokens())
            .sum();
    try (Progress progress = ProgressReporter.start("evaluate", "tokens", tokens)) {
      for (Task task : tasks) {
        complete(task, progress);
      }
    }
  }

  private void complete(Task task, Progress progress) throws IOException {
    Device device = Devices.of(config.device());
    try (NDManager manager = NDManager.newBaseManager(device, "PyTorch");
        Weights weights = task.model().checkpoint().weights(device);
        Decoder decoder = new Decoder(task.model().model(), weights, config.precision())) {
      WindowEvaluator evaluator =
          new WindowEvaluator(decoder, manager, config.memoryLimitMegabytes());
      for (Cell cell : task.cells()) {
        EvaluationResult result = measure(cell, evaluator, progress);
        progress.message("%s: %.3f".formatted(cell, result.perplexity()));
      }
    }
  }

  private EvaluationResult measure(Cell cell, WindowEvaluator evaluator, Progress progress)
      throws IOException {
    ScoredWindows windows = windows(cell);
    long before = tokensDone;
    double[] nlls =
        evaluator.score(
            test,
            windows,
            scored -> {
              progress.advanceTo(before + scored * windows.length());
              if (stopRequested.getAsBoolean()) {
                throw new CancellationException("asked to stop");
              }
            });
    tokensDone += windows.numTokens();
    ScoredTargets scored = windows.with(nlls);
    EvaluationResult result =
        EvaluationResult.of(
            cell.subject(),
            cell.protocol().protocol(),
            config.withinDocument(),
            cell.length(),
            scored,
            dataSha256);
    finished.add(result, scored);
    return result;
  }

  private ScoredWindows windows(Cell cell) {
    return draw.windows(cell.protocol(), cell.length());
  }
}
