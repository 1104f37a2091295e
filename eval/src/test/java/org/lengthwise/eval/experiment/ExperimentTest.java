package org.lengthwise.eval.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.model.ModelConfig;

class ExperimentTest {
  private static final Path EXPERIMENTS = Path.of("../conf/experiments");
  private static final int GPT2_VOCABULARY = 50_257;

  static Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(EXPERIMENTS)) {
      return files.sorted().toList().stream();
    }
  }

  private static Experiment load(String file) {
    return Experiment.load(EXPERIMENTS.resolve(file), List.of());
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyExperimentFileIsReadStrictly(Path file) {
    assertThat(Experiment.load(file, List.of()).runs()).isNotEmpty();
  }

  @Test
  void runsAreInTheOrderOfColumnsAndThenOfSeeds() {
    assertThat(load("table3-small.yaml").runs().keySet())
        .hasSize(24)
        .startsWith("kerple-log-seed1", "kerple-log-seed2", "kerple-log-seed3", "t5-seed1")
        .endsWith("regulargpt-96-2-seed3");
  }

  @ParameterizedTest
  @CsvSource({
    "kerple-log, 123.65",
    "t5, 123.65",
    "alibi, 123.65",
    "regulargpt-32-6, 81.13",
    "regulargpt-64-6, 81.13",
    "regulargpt-128-6, 81.13",
    "regulargpt-128-12, 123.65",
    "regulargpt-256-6, 81.13"
  })
  void columnsOfTableThreeHaveThePaperSizes(String column, String millions) {
    TrainingConfig run = Objects.requireNonNull(load("table3.yaml").runs().get(column + "-seed2"));
    ModelConfig model = run.modelConfig(GPT2_VOCABULARY);
    ModelConfig withoutPositions =
        new ModelConfig(
            model.layers(), model.width(), model.heads(), GPT2_VOCABULARY, new NoPosition());
    assertThat("%.2f".formatted(withoutPositions.numParameters() / 1e6)).isEqualTo(millions);
  }

  @Test
  void tableThreeTrainsAsThePaperDid() {
    assertThat(load("table3.yaml").runs().values())
        .hasSize(8 * 3)
        .allSatisfy(
            run -> {
              LoopConfig loop = run.training();
              assertThat(List.of(loop.length(), loop.batch())).containsExactly(512, 32);
              assertThat(loop.steps()).isEqualTo(50_000);
              assertThat(loop.precision()).isEqualTo(Precision.BFLOAT16);
              assertThat(run.optimizer().learningRate()).isEqualTo(6e-4);
            });
  }
}
