package org.lengthwise.measure.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.ResultFile;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.TrainingRun;

/** Classifiers after one step, and what is measured of them. */
class AccuracyIT {
  @TempDir private Path folder;

  private Checkpoint checkpoint(String task, String... settings) throws IOException {
    return trained("parity-regulargpt-2", task, settings);
  }

  private Checkpoint trained(String config, String task, String... settings) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "task.name=" + task,
                "task.lengths=[1, 6]",
                "model.width=16",
                "model.heads=2",
                "training.batch=8",
                "training.micro_batch=8",
                "training.steps=1"));
    all.addAll(List.of(settings));
    TrainingConfig run =
        ConfigLoader.load(Path.of("../conf/regular/%s.yaml".formatted(config)), all)
            .bind(TrainingConfig.class);
    Path output = folder.resolve(task);
    return Checkpoint.open(
        TrainingRun.advance(run, Task.of(run, new ShardSource(null)), output, true, () -> false)
            .checkpoint());
  }

  private static AccuracyConfig config(int samples, List<Negatives> negatives, Double... p) {
    return new AccuracyConfig(
        samples, negatives, List.of(p), 1, new MeasurementSettings(64, Precision.FLOAT32, "cpu"));
  }

  private List<AccuracyResult> measured(
      Accuracy accuracy, Checkpoint checkpoint, String output, BooleanSupplier stop)
      throws IOException {
    accuracy.run(List.of(checkpoint), folder.resolve(output), stop);
    return ResultFile.ACCURACIES.values(folder.resolve(output));
  }

  private static double mean(List<AccuracyResult> results, ToDoubleFunction<AccuracyResult> share) {
    return results.stream().mapToDouble(share).average().orElseThrow();
  }

  @Test
  void constantAnswerScoresWhatTheLengthsWithOneLabelGiveIt() throws IOException {
    Accuracy accuracy =
        new Accuracy(config(4, List.of(Negatives.UNIFORM), 0.5), Lengths.of(List.of("52..100")));
    for (String task : List.of("d_2", "tomita_3")) {
      List<AccuracyResult> results =
          measured(accuracy, checkpoint(task), "constant-" + task, () -> false);
      assertThat(results).hasSize(49);
      double constant = mean(results, one -> one.of(one.baselines().get(0), 0));
      assertThat(constant)
          .isCloseTo(task.equals("d_2") ? (25 * 0.5 + 24) / 49 : 0.5, within(1e-12));
    }
  }

  @Test
  void interruptedMeasurementResumesWithTheSameLines() throws IOException {
    Accuracy accuracy =
        new Accuracy(config(20, List.of(Negatives.UNIFORM), 0.1, 0.5), Lengths.of(List.of("3..7")));
    Checkpoint checkpoint = checkpoint("parity_check");
    List<AccuracyResult> whole = measured(accuracy, checkpoint, "whole", () -> false);
    assertThat(whole).hasSize(10);
    int[] batches = {0};
    assertThatThrownBy(() -> measured(accuracy, checkpoint, "part", () -> ++batches[0] == 4))
        .isInstanceOf(CancellationException.class);
    assertThat(folder.resolve("part")).doesNotExist();
    int[] resumed = {0};
    assertThat(
            measured(
                accuracy,
                checkpoint,
                "part",
                () -> {
                  resumed[0]++;
                  return false;
                }))
        .isEqualTo(whole);
    assertThat(resumed[0]).as("batches of cells that were not finished").isEqualTo(7);
  }

  @Test
  void memoryLimitAndOrderOfLengthsChangeNoNumber() throws IOException {
    Checkpoint checkpoint = checkpoint("d_3");
    List<Negatives> both = List.of(Negatives.UNIFORM, Negatives.NEAR);
    List<AccuracyResult> few =
        measured(
            new Accuracy(config(30, both, 0.5), new Lengths(List.of(40))),
            checkpoint,
            "few",
            () -> false);
    List<AccuracyResult> more =
        measured(
            new Accuracy(config(30, both, 0.5), new Lengths(List.of(40, 8))),
            checkpoint,
            "more",
            () -> false);
    assertThat(more).hasSize(4).containsAll(few);
    assertThat(few.get(0).baselines().stream().filter(known -> !known.isConstant())).hasSize(3);
  }

  @Test
  void drawsThatATaskDoesNotHaveAreLeftOut() throws IOException {
    Checkpoint checkpoint = checkpoint("parity_check");
    Lengths lengths = new Lengths(List.of(5));
    List<AccuracyResult> results =
        measured(
            new Accuracy(config(4, List.of(Negatives.UNIFORM, Negatives.NEAR), 0.5, 0.9), lengths),
            checkpoint,
            "left",
            () -> false);
    assertThat(results).extracting(AccuracyResult::label).containsExactly("uniform", "p = 0.9");
    Accuracy near = new Accuracy(config(4, List.of(Negatives.NEAR), 0.5), lengths);
    assertThatThrownBy(() -> measured(near, checkpoint, "none", () -> false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("near is for languages");
    assertThat(Files.exists(folder.resolve("none"))).isFalse();
  }

  @Test
  void lengthsWhoseStringsExceedALearnedTableHaveNoResults() throws IOException {
    Checkpoint checkpoint =
        trained(
            "parity-transformer",
            "modular_arithmetic",
            "model.layers=1",
            "model.causal=true",
            "position={scheme: learned, positions: 9}");
    AccuracyConfig config = config(2, List.of(Negatives.UNIFORM), 0.5);
    assertThat(
            measured(
                new Accuracy(config, new Lengths(List.of(7, 8, 9, 10))),
                checkpoint,
                "some",
                () -> false))
        .extracting(one -> one.strings().length())
        .containsExactly(7, 8);
    Accuracy nine = new Accuracy(config, new Lengths(List.of(9)));
    assertThatThrownBy(() -> measured(nine, checkpoint, "none", () -> false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("lengths from 9: expected at most 9 positions")
        .hasMessageContaining("found 10 positions");
    assertThat(folder.resolve("none")).doesNotExist();
  }
}
