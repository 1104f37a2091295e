package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.experiment.Experiment;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.ResultFile;

/** Columns of an experiment that are models in Hugging Face's layout. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImportedColumnIT {
  private static final String PUBLIC_MODEL =
      "--config=" + CommandRunner.HOME.resolve("conf/experiments/public-model.yaml");

  private static final String STRINGS_AND_TEXT =
      "--set=experiment.measurements=[{kind: accuracy, lengths: [8], samples: 2, negatives: [uniform],"
          + " p: [0.5], seed: 1, precision: float32, device: cpu}, {kind: perplexity, lengths: [1x],"
          + " protocols: [{name: aligned, samples: 2}], seed: 1, within_document: false,"
          + " position_scaling: [none], precision: float32, device: cpu}]";

  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void exportAModel() throws IOException {
    tiny = new TinyExperiment(folder, "gpt2");
    tiny.train(
        "rotary",
        """
        {scheme: rope, base: 10000}
        model:
          activation: silu
          attention_bias: false
          norms: {kind: rms, epsilon: 1.0e-6}
          attention: {key_heads: 1}
          mlp: {width: 40, gated: true, bias: false}
          tokens: {tied: false}
        """);
    new CommandRunner()
        .run(
            "export",
            tiny.checkpoint("rotary"),
            "--format=llama",
            tiny.option("--output", "guest"));
    tiny.writeExperiment("[1]", "alibi");
  }

  private static String[] withGuest(String output, String... more) throws IOException {
    String alibi = CommandRunner.HOME.resolve("conf/position/alibi.yaml").toString();
    String[] words =
        tiny.experiment(output, "--set=experiment.columns=[%s, {import: guest}]".formatted(alibi));
    return Stream.of(words, more).flatMap(Stream::of).toArray(String[]::new);
  }

  /** Each perplexity by run and length. */
  private static Map<String, Double> perplexities(String results) throws IOException {
    Map<String, Double> perplexities = new TreeMap<>();
    for (EvaluationResult result : ResultFile.EVALUATIONS.values(tiny.resolve(results))) {
      perplexities.put(result.run() + " " + result.length(), result.perplexity());
    }
    return perplexities;
  }

  @Test
  void anImportedModelIsAColumnBesideATrainedOne() throws IOException {
    assertThat(commands.run(withGuest("out"))).contains("ALiBi", "guest", "report.html");
    assertThat(Files.readString(tiny.resolve("out/report/table.csv")))
        .contains("alibi,alibi,1,aligned,64,10,", "guest,rope,0,aligned,64,10,");
    assertThat(tiny.resolve("out/runs/guest-seed0/receptive-field/DONE")).exists();
    Map<String, Double> exported = ofTheExportedRun();
    assertThat(perplexities("out/runs/guest-seed0/evaluation"))
        .as("the numbers of the run that was exported, but for rounding")
        .containsOnlyKeys(exported.keySet())
        .allSatisfy(
            (key, value) -> assertThat(value).isCloseTo(exported.get(key), withinPercentage(1e-4)));

    Map<Path, FileTime> before = TinyExperiment.times(tiny.resolve("out/runs"));
    commands.run(withGuest("out"));
    assertThat(TinyExperiment.times(tiny.resolve("out/runs"))).isEqualTo(before);
  }

  private Map<String, Double> ofTheExportedRun() throws IOException {
    commands.run(
        "evaluate",
        tiny.checkpoint("rotary"),
        tiny.data(),
        "--lengths=16,64",
        "--samples=10",
        "--set=seed=1",
        tiny.option("--output", "rotary"));
    Map<String, Double> named = new TreeMap<>();
    perplexities("rotary")
        .forEach((key, value) -> named.put(key.replace("rotary", "guest"), value));
    return named;
  }

  @Test
  void aQueueMeasuresAnImportedModel() throws IOException {
    commands.run(withGuest("queued", "--queue=cpu:2"));
    assertThat(perplexities("queued/runs/guest-seed0/evaluation")).hasSize(2);
    assertThat(tiny.resolve("queued/report/report.html")).isNotEmptyFile();
  }

  @Test
  void aMeasurementOfStringsSkipsAnImportedModel() throws IOException {
    try (CapturedLog log = new CapturedLog(Experiment.class.getPackage())) {
      commands.run(
          tiny.experiment(
              "skipped", "--set=experiment.columns=[{import: guest}]", STRINGS_AND_TEXT));
      assertThat(log.lines())
          .contains(
              "WARN guest: accuracy is skipped, because the model cannot be measured in this way");
    }
    assertThat(tiny.resolve("skipped/runs/guest-seed0"))
        .isDirectoryNotContaining("glob:**accuracy");
  }

  @Test
  void anotherTokenizerIsFoundBeforeTheFirstRun() throws IOException {
    Path bytes = Files.createDirectory(tiny.resolve("bytes"));
    TinyExperiment other = new TinyExperiment(bytes);
    assertThat(commands.fail(2, withGuest("none", "--set=experiment.data=" + bytes + "/shards")))
        .contains("expected tokens of gpt2, the tokenizer of ", "guest, found tokens of bytes");
    assertThat(tiny.resolve("none")).doesNotExist();
    assertThat(other.resolve("shards")).exists();
  }

  @Test
  void thePublicModelExperimentHasACurveForEachScaling() throws IOException {
    String[] words = {
      "run",
      PUBLIC_MODEL,
      "--set=experiment.columns.0.import=" + tiny.resolve("guest"),
      "--set=experiment.data=" + tiny.resolve("shards"),
      tiny.option("--output", "public")
    };
    assertThat(commands.run(words)).contains("guest", "report.html");
    assertThat(perplexities("public/runs/guest-seed0/evaluation"))
        .hasSize(4 * 4)
        .containsKeys("guest 16", "guest-interpolation 32", "guest-ntk 64", "guest-yarn 128");
    assertThat(Files.readString(tiny.resolve("public/report/report.html")))
        .contains("trained at 16");

    assertThat(commands.run("run", PUBLIC_MODEL, "--list")).isEqualTo("public-model-seed0\n");
    words[2] = "--set=experiment.columns.0.import=" + tiny.resolve("absent");
    assertThat(commands.fail(2, words))
        .contains("absent: expected a model in Hugging Face's layout", "found no such folder");
  }
}
