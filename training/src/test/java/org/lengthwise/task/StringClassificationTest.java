package org.lengthwise.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.training.config.RegularConfig;
import org.lengthwise.training.config.TrainingConfig;

/** The strings of a run: 4 a step, of 3 to 7 symbols, and 10 for validation. */
class StringClassificationTest {
  private static final int BATCH = 4;

  private static StringClassification task(String... settings) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "task.lengths=[3, 7]",
                "training.batch=" + BATCH,
                "training.micro_batch=2",
                "training.validation.sequences=14"));
    all.addAll(List.of(settings));
    TrainingConfig run =
        ConfigLoader.load(Path.of("../conf/regular/parity-regulargpt-2.yaml"), all)
            .bind(TrainingConfig.class);
    return new StringClassification((RegularConfig) Objects.requireNonNull(run.task()), run);
  }

  private static int length(Samples samples) {
    return samples.numTokens() / samples.count();
  }

  private static int[] ids(Samples samples, int b) {
    int length = length(samples);
    return Arrays.stream(samples.tokens(), b * length, (b + 1) * length)
        .mapToInt(Math::toIntExact)
        .toArray();
  }

  @Test
  void everyStepHasOneLengthAndAllLengthsOccur() {
    StringClassification task = task();
    int[] lengths =
        IntStream.range(0, 200)
            .map(step -> length(task.training((long) BATCH * step, BATCH)))
            .toArray();
    assertThat(Arrays.stream(lengths).distinct().sorted()).containsExactly(3, 4, 5, 6, 7);
  }

  @Test
  void microBatchesAreThePartsOfTheirStep() {
    StringClassification task = task();
    task.training(0, BATCH);
    for (int step : new int[] {7, 3}) {
      Samples whole = task.training((long) BATCH * step, BATCH);
      Samples second = task().training((long) BATCH * step + 2, 2);
      assertThat(ids(second, 0)).containsExactly(ids(whole, 2));
      assertThat(ids(second, 1)).containsExactly(ids(whole, 3));
    }
  }

  @Test
  void everyTargetIsTheLabelOfItsString() {
    for (PaperTask paper : PaperTask.values()) {
      StringClassification task = task("task.name=" + paper.label());
      Samples samples = task.training(0, BATCH);
      for (int b = 0; b < BATCH; b++) {
        assertThat(samples.targets()[b])
            .as(paper.label())
            .isEqualTo(paper.automaton().label(ids(samples, b)));
      }
    }
  }

  @Test
  void validationHasEquallyManyStringsOfEachTrainingLengthAndNoOthers() {
    StringClassification task = task();
    assertThat(task.numValidationSamples()).isEqualTo(10);
    int first = 0;
    for (int length = 3; length <= 7; length++) {
      assertThat(task.validationEnd(first)).isEqualTo(first + 2);
      assertThat(length(task.validation(first, 2))).isEqualTo(length);
      first = task.validationEnd(first);
    }
    assertThat(first).isEqualTo(task.numValidationSamples());
  }

  @Test
  void stringsDependOnTheSeed() {
    assertThat(task("seed=1").training(0, BATCH).tokens())
        .isEqualTo(task().training(0, BATCH).tokens())
        .isNotEqualTo(task("seed=2").training(0, BATCH).tokens());
  }

  @Test
  void lengthWithoutALabelledStringIsRejected() {
    assertThatThrownBy(
            () ->
                task(
                    "task.name=mine",
                    "task.automaton={symbols: [a, b], transitions: [[1, 2], [3, 3], [3, 3], [3,"
                        + " 3]], labels: [-1, 0, 1, -1]}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("task.lengths: expected a length at which a string has a label");
  }
}
