package org.lengthwise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.MeasurementConfig.OfRun;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.receptivefield.ReceptiveField;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;

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

  private static TrainingConfig config(ExperimentRun run) {
    return ((ExperimentRun.Trained) run).config();
  }

  private static TrainingConfig config(Experiment experiment, String run) {
    return config(Objects.requireNonNull(experiment.runs().get(run), run));
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
        .startsWith(
            "regulargpt-8-4-seed1",
            "regulargpt-8-4-seed2",
            "regulargpt-8-4-seed3",
            "regulargpt-32-4-seed1")
        .endsWith("none-seed3");
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
    TrainingConfig run = config(load("table3.yaml"), column + "-seed2");
    ModelConfig model = run.modelConfig(GPT2_VOCABULARY);
    ModelConfig withoutPositions =
        new ModelConfig(
            model.layers(), model.width(), model.heads(), GPT2_VOCABULARY, new NoPosition());
    assertThat(String.format(Locale.ROOT, "%.2f", withoutPositions.numParameters() / 1e6))
        .isEqualTo(millions);
  }

  @Test
  void tableThreeTrainsAsThePaperDid() {
    assertThat(load("table3.yaml").runs().values())
        .extracting(ExperimentTest::config)
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

  private static TrainingConfig ofRegular(String run) {
    return config(load("regular.yaml"), run);
  }

  /**
   * The counts follow from the sizes of the paper's Table 4: 12 d^2 + 10 d + V d + H C + d N + N.
   */
  @ParameterizedTest
  @CsvSource({
    "regulargpt-2-parity_check, 2, 790034",
    "regulargpt-2-cycle_navigation, 3, 791061",
    "regulargpt-2-modular_arithmetic, 8, 792341",
    "transformer-parity_check, 2, 4274946",
    "rnn-parity_check, 2, 67074"
  })
  void modelsOfStringsHaveThePaperSizes(String column, int symbols, long numParameters) {
    TrainingConfig run = ofRegular(column + "-3.0E-4-seed2");
    assertThat(run.modelConfig(symbols).numParameters()).isEqualTo(numParameters);
    assertThat(run.optimizer().learningRate()).isEqualTo(3e-4);
    assertThat(run.seed()).isEqualTo(2);
  }

  @Test
  void columnsOfStringsVaryTaskAndRate() {
    assertThat(load("regular.yaml").runs())
        .hasSize(4 * 12 * 3 * 3)
        .allSatisfy(
            (name, any) -> {
              TrainingConfig run = config(any);
              assertThat(run.training().steps()).isEqualTo(100_000);
              String task = Objects.requireNonNull(run.task()).name();
              assertThat(name).contains(task);
              boolean isLanguage = task.startsWith("d_") || task.startsWith("tomita");
              assertThat(run.training().length()).isEqualTo(isLanguage ? 50 : 40);
            });
    assertThat(load("regular-small.yaml").runs().keySet())
        .startsWith("transformer-parity_check-seed1", "transformer-parity_check-seed2")
        .contains("regulargpt-2-tomita_6-seed3", "regulargpt-2-absent-parity_check-seed1")
        .doesNotContain("regulargpt-3-parity_check-seed2");
  }

  private static Experiment ofStrings(Path folder, String columns, String... settings)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("strings.yaml"),
            """
            extends: [%s/regular/base.yaml, %s/regular/models/regulargpt-2.yaml]
            task: {lengths: [1, 9]}
            experiment:
              columns: [%s]
              seeds: [1, 2]
              measurements:
                - {kind: states, length: 9, samples: 1, seed: 1, tasks: [d_2], precision: float32, device: cpu}
                - {kind: states, length: 5, samples: 1, seed: 1, tasks: [d_3], precision: float32, device: cpu}
            """
                .formatted(conf(), conf(), columns));
    return Experiment.load(file, List.of(settings));
  }

  private static Path conf() {
    return EXPERIMENTS.resolve("..").toAbsolutePath().normalize();
  }

  private static final String TWO_TASKS =
      "{name: a, vary: {task.name: [d_2, d_3], model.width: [8, 16]}, training: {steps: 7}},"
          + " {name: b, task: {name: tomita_4}, seeds: [5]}";

  @Test
  void aColumnHasKeysAndSeedsOfItsOwn(@TempDir Path folder) throws IOException {
    Experiment experiment = ofStrings(folder, TWO_TASKS);
    assertThat(experiment.runs().keySet())
        .containsExactly(
            "a-d_2-8-seed1",
            "a-d_2-8-seed2",
            "a-d_2-16-seed1",
            "a-d_2-16-seed2",
            "a-d_3-8-seed1",
            "a-d_3-8-seed2",
            "a-d_3-16-seed1",
            "a-d_3-16-seed2",
            "b-seed5");
    TrainingConfig run = config(experiment, "a-d_3-16-seed2");
    assertThat(run.training().steps()).isEqualTo(7);
    assertThat(run.model().width()).isEqualTo(16);
    assertThat(Objects.requireNonNull(run.task()).name()).isEqualTo("d_3");
    assertThat(ofStrings(folder, TWO_TASKS, "experiment.columns.1.seeds=[6, 7]").runs())
        .hasSize(10)
        .containsKeys("b-seed6", "b-seed7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{task: {name: d_2}} | files or a name for each",
        "{name: a, vary: {task.name: d_2}} | a list of values",
        "{name: a, task: {name: d_2}, seeds: [x]} | a list of seeds",
        "{name: a, task: {name: d_2}, step: 3} | step",
        "{name: a, task: {name: d_2}} | tasks of the measurement states: expected one of [d_2],"
            + " found d_3"
      })
  void aWrongColumnIsAnError(String columns, String message, @TempDir Path folder) {
    assertThatThrownBy(() -> ofStrings(folder, columns))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  private static final String BLOCKS =
      "experiment.blocks=[{name: d_2, seeds: [3], task: {name: d_2}, training: {steps: 7}},"
          + " {name: d_3, task: {name: d_3}}]";

  @Test
  void everyColumnIsInEveryBlockUnlessItNamesSome(@TempDir Path folder) throws IOException {
    Experiment experiment =
        ofStrings(
            folder,
            "{name: a, training: {steps: 9}, blocks: [d_2]}, {name: a, blocks: [d_3]},"
                + " {name: b, vary: {model.width: [8, 16]}, seeds: [5]}",
            BLOCKS);
    assertThat(experiment.runs().keySet())
        .containsExactly(
            "a-d_2-seed3",
            "a-d_3-seed1",
            "a-d_3-seed2",
            "b-8-d_2-seed5",
            "b-16-d_2-seed5",
            "b-8-d_3-seed5",
            "b-16-d_3-seed5");
    assertThat(config(experiment, "a-d_2-seed3").training().steps()).isEqualTo(9);
    TrainingConfig run = config(experiment, "b-16-d_2-seed5");
    assertThat(run.training().steps()).isEqualTo(7);
    assertThat(run.model().width()).isEqualTo(16);
    assertThat(Objects.requireNonNull(run.task()).name()).isEqualTo("d_2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: a, blocks: [d_4]} | experiment.blocks=[{name: d_2, task: {name: d_2}}]"
            + " | expected names of blocks: d_2, found d_4 (did you mean `d_2`?)",
        "{name: a, blocks: d_2} | experiment.blocks=[{name: d_2}] | a list of blocks",
        "{name: a, seed: [1]} | seed=1 | found seed (did you mean `seeds`?)",
        "{name: a, varry: {}} | seed=1 | found varry (did you mean `vary`?)",
        "{name: a} | experiment.blocks=[{name: d_2, blocks: [d_2]}] | the key blocks in columns only",
        "{name: a} | experiment.blocks=[{import: b}] | expected trained runs for `experiment.blocks`",
        "{name: a, task: {name: d_2}, blocks: [d_2]} | seed=1 | names of blocks: none, found d_2"
      })
  void aWrongBlockIsAnError(String columns, String setting, String message, @TempDir Path folder) {
    assertThatThrownBy(() -> ofStrings(folder, columns, setting))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aColumnStartsFromTheRunOfTheSameSeedAndBlock(@TempDir Path folder) throws IOException {
    Experiment experiment =
        ofStrings(
            folder,
            "{name: a, position: {scheme: rope, base: 500}},"
                + " {name: b, from: a, start: {scaling: 'yarn:2'}, training: {steps: 2}},"
                + " {name: c, from: b, position: {scheme: alibi}, blocks: [d_2]}",
            BLOCKS);
    TrainingConfig b = config(experiment, "b-d_2-seed3");
    assertThat(b.stage().orElseThrow().checkpoint()).isEqualTo("a-d_2-seed3");
    assertThat(b.stage().orElseThrow().length())
        .isEqualTo(config(experiment, "a-d_2-seed3").longestLength());
    assertThat(b.training().steps()).isEqualTo(2);
    int length = b.stage().orElseThrow().length();
    RopeScaling yarn = new RopeScaling.Yarn(2, length);
    assertThat(b.position()).isEqualTo(new Rope(500, 1, yarn, null));
    TrainingConfig c = config(experiment, "c-d_2-seed3");
    assertThat(c.position().label()).isEqualTo("alibi");
    assertThat(c.stage().orElseThrow().scaling()).isEqualTo(PositionScaling.NONE);
    assertThat(experiment.inTurn(List.of("c-d_2-seed3", "a-d_2-seed3", "b-d_2-seed3")))
        .containsExactly(List.of("a-d_2-seed3"), List.of("b-d_2-seed3"), List.of("c-d_2-seed3"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: a, from: b}, {name: b} | seed=1"
            + " | experiment.columns[].from: expected a column above it, in the same blocks: none",
        "{name: a}, {name: b, from: ab} | seed=1 | found ab (did you mean `a`?)",
        "{name: a}, {name: b, from: a, seeds: [9]} | seed=1 | a run of the same seed: a-seed1",
        "{name: a}, {name: b, from: [a]} | seed=1 | expected the name of a column"
      })
  void aWrongSourceIsAnError(String columns, String setting, String message, @TempDir Path folder) {
    String task = columns.replace("}", ", task: {name: d_2}}");
    assertThatThrownBy(() -> ofStrings(folder, task, setting))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aColumnHasNoNameThatAMeasurementGivesToAnother() {
    Path file = EXPERIMENTS.resolve("second-stage-small.yaml");
    String columns =
        "experiment.columns=[{name: rope, position: {scheme: rope, base: 500}},"
            + " {name: rope-yarn, from: rope}]";
    assertThatThrownBy(() -> Experiment.load(file, List.of(columns)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("that no measurement gives to rope, found rope-yarn");
  }

  private static Experiment ofModels(Path folder, String columns, String... settings)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("models.yaml"),
            "experiment: {data: a, columns: [%s], measurements: [%s]}"
                .formatted(columns, PERPLEXITY));
    return Experiment.load(file, List.of(settings));
  }

  @Test
  void anImportedColumnIsNamedWithoutItsFiles(@TempDir Path folder) throws IOException {
    Experiment experiment = ofModels(folder, "{import: models/a-1}, {import: /b, name: c}");

    assertThat(experiment.runs().keySet()).containsExactly("a-1-seed0", "c-seed0");
    assertThat(experiment.runs().values()).noneMatch(ExperimentRun::isTrained);
    assertThatThrownBy(() -> Objects.requireNonNull(experiment.runs().get("a-1-seed0")).length())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(folder.resolve("models/a-1") + ": expected a model in Hugging Face's")
        .hasMessageContaining("found no such folder");
  }

  @Test
  void anImportedColumnIsBesideTrainedOnes(@TempDir Path folder) throws IOException {
    assertThat(ofStrings(folder, TWO_TASKS + ", {import: a}").runs().keySet())
        .hasSize(10)
        .endsWith("b-seed5", "a-seed0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{import: a, seeds: [1]} | only the keys import and name",
        "{import: a, position: {scheme: alibi}} | only the keys import and name",
        "{import: [a]} | expected the folder of a model for `experiment.columns[0].import`",
        "{import: a, name: 'b c'} | letters, digits",
        "{import: a}, {import: b/a} | columns with different names",
        "{import: a}, {name: b} | seeds: expected at least one, each once, found []"
      })
  void aWrongImportedColumnIsAnError(String columns, String message, @TempDir Path folder) {
    assertThatThrownBy(() -> ofModels(folder, columns))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void unknownKeysAreRejectedEvenIfNothingIsTrained(@TempDir Path folder) throws IOException {
    assertThat(ofModels(folder, "{import: a}", "training.device=cpu").runs()).hasSize(1);
    assertThatThrownBy(() -> ofModels(folder, "{import: a}", "trainng.device=cpu"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found `trainng` (did you mean `training`?)");
  }

  @Test
  void measurementsOfOneKindNeedDifferentTasks(@TempDir Path folder) {
    for (String tasks : List.of("[d_2]", "[]")) {
      assertThatThrownBy(
              () -> ofStrings(folder, TWO_TASKS, "experiment.measurements.1.tasks=" + tasks))
          .hasMessageContaining("expected each kind once, or each time with other tasks");
    }
  }

  private static final String FIELD =
      "{kind: receptive-field, lengths: [64], samples: 3, seed: 7, position_scaling: [none],"
          + " memory_limit_megabytes: 64, precision: float32, device: cpu}";

  private static final String PERPLEXITY =
      "{kind: perplexity, lengths: [64], protocols: [{name: aligned, samples: 5}], seed: 7,"
          + " within_document: false, position_scaling: [none], memory_limit_megabytes: 64,"
          + " precision: float32, device: cpu}";

  private static final String ORDER_5 = "{kind: baseline, order: 5}";
  private static final String ORDER_7 = "{kind: baseline, order: 7}";

  private static ExperimentConfig read(Path folder, String text, String... settings)
      throws IOException {
    Path file = Files.writeString(folder.resolve("experiment.yaml"), text);
    return ExperimentConfig.of(ConfigLoader.load(file, List.of(settings)));
  }

  @Test
  void oneOptionMovesAllMeasurementsToADevice(@TempDir Path folder) throws IOException {
    String entry = FIELD.replace("receptive-field", "other").replace(", device: cpu", "");
    String list = "experiment: {measurements: [%s, %s]}".formatted(entry, FIELD);
    assertThat(onDevice(folder, list)).containsExactly("experiment.measurements.1.device=gpu:1");
  }

  private static List<String> onDevice(Path folder, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("experiment.yaml"), text);
    return ExperimentConfig.onDevice(ConfigLoader.load(file, List.of()), "gpu:1");
  }

  @Test
  void measurementsHaveTheirFoldersInARun(@TempDir Path folder) throws IOException {
    assertThat(readMeasurements(folder, PERPLEXITY, FIELD).ofRuns())
        .extracting(OfRun::folder)
        .containsExactly("evaluation", "receptive-field");
  }

  @Test
  void aMeasurementIsListedOnce(@TempDir Path folder) {
    assertThatThrownBy(
            () ->
                read(
                    folder,
                    "experiment: {data: a, columns: [a], seeds: [1], measurements: [%1$s, %1$s]}"
                        .formatted(FIELD)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("measurements")
        .hasMessageContaining("each kind once");
  }

  private static ExperimentConfig readMeasurements(Path folder, String... measurements)
      throws IOException {
    return read(
        folder,
        "experiment: {data: a, columns: [a], seeds: [1], measurements: [%s]}"
            .formatted(String.join(", ", measurements)));
  }

  @Test
  void baselinesAreEntriesOfDifferentOrders(@TempDir Path folder) throws IOException {
    ExperimentConfig config = readMeasurements(folder, ORDER_7, PERPLEXITY, ORDER_5);

    assertThat(config.baselineOrders()).containsExactly(7, 5);
    assertThat(config.ofRuns()).extracting(OfRun::folder).containsExactly("evaluation");
    assertThatThrownBy(() -> readMeasurements(folder, ORDER_7, PERPLEXITY, ORDER_7))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("at least one, each once");
    assertThatThrownBy(() -> readMeasurements(folder, "{kind: baseline, order: 10}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "expected from 1 to 9 for `experiment.measurements[0].order`, found 10");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lengths: [64] | tokens: [64] | expected one of the keys bos, device, lengths,"
            + " memory_limit_megabytes, position_scaling, precision, samples, seed, tasks, temperature, found"
            + " `experiment.measurements[0].tokens`",
        "seed: 7, | '' | expected the key `experiment.measurements[0].seed` (a whole number), found"
            + " no such key",
        "samples: 3 | samples: 1 | expected at least 2 for `experiment.measurements[0].samples`,"
            + " found 1",
        "megabytes: 64 | megabytes: -1 | expected at least 0 for"
            + " `experiment.measurements[0].memory_limit_megabytes`, found -1",
        "float32 | float23 | expected one of float32, bfloat16 for"
            + " `experiment.measurements[0].precision`",
        "lengths: [64] | lengths: [64, 64] | at least one, each once for"
            + " `experiment.measurements[0].lengths`, found [64, 64]",
        "receptive-field | receptive-feild | expected one of accuracy, answers, baseline,"
            + " passkey, perplexity, recall, receptive-field, states, found `receptive-feild`"
      })
  void errorsOfAMeasurementNameItsKeys(
      String right, String wrong, String message, @TempDir Path folder) {
    assertThatThrownBy(() -> readMeasurements(folder, FIELD.replace(right, wrong)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("experiment.yaml:1: ")
        .hasMessageContaining(message);
  }

  @Test
  void multiplesAreOfAllRunsThatAreMeasured(@TempDir Path folder) throws IOException {
    ExperimentConfig config =
        readMeasurements(
            folder, PERPLEXITY.replace("[64]", "[1x, 64, 2x]"), FIELD.replace("[64]", "[0.5x]"));
    Path conf = Path.of("../conf").toAbsolutePath();
    List<ExperimentRun> runs =
        Stream.of(16, 48)
            .<ExperimentRun>map(
                length ->
                    new ExperimentRun.Trained(
                        ConfigLoader.load(
                                conf.resolve("train/alibi.yaml"),
                                List.of("training.length=" + length))
                            .bind(TrainingConfig.class)))
            .toList();
    List<OfRun> measurements = config.among(runs).ofRuns();
    assertThat(((Evaluation) measurements.get(0)).lengths().all())
        .containsExactly(16, 32, 48, 64, 96);
    assertThat(((ReceptiveField) measurements.get(1)).lengths().all()).containsExactly(8, 24);
    assertThat(ConfigLoader.strictMapper().valueToTree(measurements.get(0)).path("lengths"))
        .hasToString("[64,\"1x\",\"2x\"]");
    assertThatThrownBy(() -> readMeasurements(folder, FIELD.replace("[64]", "[64, 2y]")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("or multiples of the training length, such as 2x or 0.5x for")
        .hasMessageContaining("for `experiment.measurements[0].lengths`, found 2y");
  }

  @Test
  void linearIsAnotherNameOfInterpolation(@TempDir Path folder) throws IOException {
    OfRun measurement =
        readMeasurements(folder, FIELD.replace("[none]", "[none, linear, yarn:4]")).ofRuns().get(0);
    assertThat(((ReceptiveField) measurement).positionScaling())
        .containsExactly(
            PositionScaling.NONE,
            PositionScaling.of("interpolation"),
            PositionScaling.of("yarn:4"));
    assertThat(ConfigLoader.strictMapper().valueToTree(measurement).path("position_scaling"))
        .hasToString("[\"none\",\"interpolation\",\"yarn:4\"]");
    assertThatThrownBy(
            () -> readMeasurements(folder, FIELD.replace("[none]", "[linear, interpolation]")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("at least one, each once");
  }

  @Test
  void baselinesNeedTheTargetsOfAPerplexityMeasurement(@TempDir Path folder) {
    assertThatThrownBy(() -> readMeasurements(folder, FIELD, ORDER_5))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a perplexity measurement, whose targets the baselines score");
  }
}
