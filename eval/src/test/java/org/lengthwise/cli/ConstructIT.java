package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.ngram.ReferenceKneserNey;
import org.lengthwise.result.CumulativeGradient;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.GradientNorms;
import org.lengthwise.result.GradientNormsFile;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.Protocol;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.ScoredTargets;

/** {@code construct}, and the commands that measure its models. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConstructIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void constructATrigram() throws IOException {
    tiny = new TinyExperiment(folder);
    String printed = new CommandRunner().run(construct("3", "trigram", tiny.data()));
    assertThat(printed)
        .containsPattern("\\d+ histories of 1 to 2 tokens; 1 block, width 774, 2 heads")
        .contains("vocabulary 257: 7,399,504 parameters, 29.6 MB");
  }

  private static String[] construct(String order, String output, String... more) {
    String[] words = {"construct", "--order=" + order, tiny.option("--output", output)};
    return Stream.of(words, more).flatMap(Arrays::stream).toArray(String[]::new);
  }

  private static List<EvaluationResult> results(String output) throws IOException {
    return ResultFile.EVALUATIONS.values(tiny.resolve(output));
  }

  private static ScoredTargets rows(String output, EvaluationResult result) throws IOException {
    return NllFile.read(tiny.resolve(output).resolve(NllFile.nameFor(result))).scored();
  }

  private static int[] tokens(Split split, int count) {
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream stream = shards.tokens(split);
      int[] tokens = new int[count < 0 ? Math.toIntExact(stream.numTokens()) : count];
      stream.read(0, tokens, 0, tokens.length);
      return tokens;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"heads", "layers"})
  void scoreGivesTheLikelihoodsOfKneserNey(String variant) throws IOException {
    commands.run(construct("3", variant, tiny.data(), "--variant=" + variant));
    int[] test = tokens(Split.TEST, 2000);
    Path file = tiny.write("tokens.json", Arrays.toString(test));
    JsonNode nll =
        ConfigLoader.strictMapper()
            .readTree(
                commands.run(
                    "score", tiny.option("--checkpoint", variant), "--tokens=" + file, "--json"))
            .get("nll");
    ReferenceKneserNey expected = new ReferenceKneserNey(3, 257, tokens(Split.TRAIN, -1));
    for (int i = 2; i < test.length; i++) {
      double p = expected.probability(List.of(test[i - 2], test[i - 1]), test[i]);
      assertThat(nll.get(i).asDouble()).as("token %d", i).isCloseTo(-Math.log(p), within(2e-5));
    }
  }

  @Test
  void perplexityIsThatOfTheBaselineAtEveryLength() throws IOException {
    commands.run(
        "evaluate",
        tiny.option("--checkpoint", "trigram"),
        tiny.data(),
        "--lengths=16,128,1024",
        "--protocol=aligned,by-position",
        "--samples=20",
        "--baseline=kneser-ney-3",
        tiny.option("--output", "results/flat"));
    List<EvaluationResult> results = results("results/flat");
    assertThat(results).hasSize(2 * 2 * 3);
    for (EvaluationResult model : results) {
      for (EvaluationResult baseline : results) {
        if (model.run().equals("n-gram-3-heads")
            && baseline.run().equals("kneser-ney-3")
            && baseline.protocol() == model.protocol()
            && baseline.length() == model.length()) {
          requireEqual(rows("results/flat", model), rows("results/flat", baseline));
        }
      }
    }
    assertThat(
            results.stream()
                .filter(result -> result.protocol() == Protocol.ALIGNED)
                .filter(result -> result.run().startsWith("n-gram"))
                .map(result -> result.sums().mean()))
        .hasSize(3)
        .allSatisfy(mean -> assertThat(mean).isCloseTo(results.get(0).sums().mean(), within(1e-6)));
  }

  /** Except in the first n - 1 tokens of a window, where the model repeats the first token. */
  private static void requireEqual(ScoredTargets model, ScoredTargets baseline) {
    assertThat(model.count()).isEqualTo(baseline.count()).isPositive();
    for (int row = 0; row < model.count(); row++) {
      if (model.position(row) >= 2) {
        assertThat(model.nll(row)).isCloseTo(baseline.nll(row), within(2e-5));
      }
    }
  }

  @Test
  void theReceptiveFieldIsTheLastTokensOnly() throws IOException {
    commands.run(
        "receptive-field",
        tiny.option("--checkpoint", "trigram"),
        tiny.data(),
        "--length=512",
        "--samples=20",
        tiny.option("--output", "results/field"));
    GradientNorms norms =
        GradientNormsFile.read(
            tiny.resolve("results/field/gradients-n-gram-3-heads-seed0-step0-512-trained.arrow"));
    CumulativeGradient curve = CumulativeGradient.of(norms);
    assertThat(curve.points())
        .filteredOn(point -> point.tokens() >= 2)
        .allMatch(point -> point.low() == 1 && point.high() == 1);
    assertThat(curve.effective()).allMatch(field -> field.high() <= 2);
  }

  @Test
  void otherCommandsTreatItAsACheckpoint() throws IOException {
    String checkpoint = tiny.option("--checkpoint", "trigram");
    assertThat(commands.run("inspect", tiny.resolve("trigram").toString()))
        .contains(
            "constructed  n-gram, floor -30.0, gap 128, order 3, smoothing kneser-ney, variant"
                + " heads")
        .contains("counted      shards, SHA-256 ");
    assertThat(commands.run("generate", checkpoint, "--prompt=the ", "--tokens=20"))
        .startsWith("the ");
    commands.run("export", checkpoint, "--format=safetensors", tiny.option("--output", "exported"));
    assertThat(Files.size(tiny.resolve("exported/model.safetensors"))).isGreaterThan(29_000_000);
    assertThat(
            commands.fail(
                2,
                "train",
                tiny.option("--config", "base.yaml"),
                tiny.data(),
                "--resume",
                tiny.option("--output", "trigram"),
                "--set=name=x",
                "--set=position={scheme: t5, scale: one}"))
        .contains("expected a new or empty folder, or the folder of a run");
  }

  @Test
  void frequenciesOfLinesAreThoseOfTheTexts() throws IOException {
    tiny.write("six.txt", "abaab\nabb\nba\na\naab\n\n");
    commands.run(construct("3", "six", tiny.option("--text", "six.txt"), "--smoothing=none"));
    Path file = tiny.write("abaab.json", "[256, 97, 98, 97, 97, 98, 256]");
    JsonNode nll =
        ConfigLoader.strictMapper()
            .readTree(
                commands.run(
                    "score", tiny.option("--checkpoint", "six"), "--tokens=" + file, "--json"))
            .get("nll");
    double p = 1;
    for (int i = 1; i < nll.size(); i++) {
      p *= Math.exp(-nll.get(i).asDouble());
    }
    assertThat(p).isCloseTo(1 / 48.0, within(1e-6));
  }

  @Test
  void whatCannotBeBuiltIsRefusedWithNumbers() throws IOException {
    assertThat(commands.fail(2, construct("18", "none", tiny.data())))
        .contains("--order: expected 2 to 17, because T5's biases tell distances up to 15 apart");
    assertThat(commands.fail(2, construct("1", "none", tiny.data())))
        .contains("--order: expected 2 to 17");
    tiny.write("random.txt", randomLetters(200_000));
    assertThat(commands.fail(2, construct("17", "none", tiny.option("--text", "random.txt"))))
        .containsPattern(
            "--order 17: expected a model that fits into [\\d.]+ GB of memory, [\\d.]+ .B of them"
                + " Java heap, found [\\d,]+ parameters of [\\d,]+ histories")
        .containsPattern("the largest order that fits is \\d+ ");
    assertThat(tiny.resolve("none")).doesNotExist();
    tiny.write("empty.txt", "");
    assertThat(commands.fail(3, construct("3", "none", tiny.option("--text", "empty.txt"))))
        .contains("the counted text: expected 2 to 2,147,483,647 tokens, found 0 tokens");
  }

  private static String randomLetters(int count) {
    return new Random(1)
        .ints(count, 'A', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void bfloat16IsWarnedAbout() throws IOException {
    Path file = tiny.write("two.json", "[97, 98, 99]");
    try (CapturedLog log = new CapturedLog(LoadedModel.class)) {
      commands.run(
          "score",
          tiny.option("--checkpoint", "trigram"),
          "--tokens=" + file,
          "--set=precision=bfloat16");
      assertThat(log.lines()).anyMatch(line -> line.contains("n-gram-3-heads is exact in float32"));
    }
  }
}
