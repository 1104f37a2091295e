package org.lengthwise.measure.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.StatesResult;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.TrainingRun;

/** The outputs of a classifier after one step. {@code StringsIT} has those of exact models. */
class StatesIT {
  private static final MeasurementSettings SETTINGS =
      new MeasurementSettings(64, Precision.FLOAT32, "cpu");

  @TempDir private Path folder;

  private Checkpoint checkpoint(String task, String... settings) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("task.name=" + task, "training.steps=1", "training.validation.sequences=40"));
    all.addAll(List.of(settings));
    TrainingConfig run =
        ConfigLoader.load(Path.of("../conf/regular/parity-regulargpt-2.yaml"), all)
            .bind(TrainingConfig.class);
    Path output = folder.resolve("run");
    return Checkpoint.open(
        TrainingRun.advance(run, Task.of(run, new ShardSource(null)), output, true, () -> false)
            .checkpoint());
  }

  private List<StatesResult> measured(
      States states, Checkpoint checkpoint, String output, BooleanSupplier stop)
      throws IOException {
    states.measure(List.of(checkpoint), new ShardSource(null), folder.resolve(output), stop);
    return ResultFile.STATES.values(folder.resolve(output));
  }

  @Test
  void everyWindowOfEveryLevelHasAnOutput() throws IOException {
    List<StatesResult> results =
        measured(
            new States(500, 2, 3, SETTINGS, List.of()),
            checkpoint("parity_check"),
            "whole",
            () -> false);
    assertThat(results)
        .extracting(StatesResult::weights)
        .containsExactly(ModelState.TRAINED, ModelState.UNTRAINED);
    for (StatesResult result : results) {
      assertThat(result.projection())
          .extracting(level -> level.x().size())
          .containsExactly(250, 125, 63, 32, 16, 8, 4, 2, 1);
      assertThat(result.outputs().count()).isEqualTo(2 * 501);
      assertThat(result.outputs().numMaps()).isEqualTo(2);
      assertThat(result.outputs().nearestShare())
          .as("a model without training tells maps apart hardly better than by chance")
          .isBetween(0.4, 0.8);
      assertThat(result.outputs().withinOverBetween()).isGreaterThan(1);
    }
  }

  @Test
  void interruptedMeasurementResumesWithTheSameLines() throws IOException {
    Checkpoint checkpoint = checkpoint("cycle_navigation", "position.chunk=3", "model.width=16");
    States states = new States(20, 3, 3, SETTINGS, List.of());
    List<StatesResult> whole = measured(states, checkpoint, "whole", () -> false);
    int[] batches = {0};
    assertThatThrownBy(() -> measured(states, checkpoint, "part", () -> ++batches[0] == 2))
        .isInstanceOf(CancellationException.class);
    assertThat(measured(states, checkpoint, "part", () -> false)).isEqualTo(whole);
  }

  @Test
  void aSingleOutputHasNoDistances() throws IOException {
    StatesResult result =
        measured(
                new States(2, 1, 3, SETTINGS, List.of()),
                checkpoint("tomita_5"),
                "one",
                () -> false)
            .get(0);
    assertThat(result.outputs().count()).isEqualTo(1);
    assertThat(result.outputs().withinOverBetween()).isNull();
    assertThat(result.projection().get(0).x().get(0)).isCloseTo(0, within(1e-9));
  }

  @Test
  void modelWhoseWindowsOverlapIsRejected() throws IOException {
    Checkpoint thick = checkpoint("parity_check", "model.layers=2", "model.width=16");
    assertThatThrownBy(
            () -> measured(new States(8, 1, 3, SETTINGS, List.of()), thick, "thick", () -> false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a RegularGPT with one block")
        .hasMessageContaining("found regulargpt with 2 blocks");
  }
}
