package org.lengthwise.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.ngram.KneserNey;
import org.lengthwise.ngram.ReferenceKneserNey;
import org.lengthwise.result.CumulativeGradient;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.GradientNorms;
import org.lengthwise.result.GradientNormsFile;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.Protocol;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.training.safetensors.SafetensorsFile;

/** {@code construct}, and the commands that measure its models. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConstructIT {
  static final List<String> TEXTS = List.of("abaab", "abb", "ba", "a", "aab", "");

  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void constructATrigram() throws IOException {
    tiny = new TinyExperiment(folder);
    String printed = new CommandRunner().run(construct("3", "trigram", tiny.data()));
    assertThat(printed)
        .containsPattern("\\d+ histories of at most 2 tokens; 1 block, width 774, 2 heads")
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

  private JsonNode score(String checkpoint, int[] tokens) throws IOException {
    Path file = tiny.write("tokens.json", Arrays.toString(tokens));
    return ConfigLoader.strictMapper()
        .readTree(
            commands.run(
                "score", tiny.option("--checkpoint", checkpoint), "--tokens=" + file, "--json"))
        .get("nll");
  }

  @ParameterizedTest
  @CsvSource({"2,heads", "3,heads", "3,layers"})
  void scoreGivesTheLikelihoodsOfKneserNey(int order, String variant) throws IOException {
    String output = "scored-" + order + variant;
    commands.run(construct("" + order, output, tiny.data(), "--variant=" + variant));
    int[] test = tokens(Split.TEST, 2000);
    JsonNode nll = score(output, test);
    ReferenceKneserNey expected = new ReferenceKneserNey(order, 257, tokens(Split.TRAIN, -1));
    for (int i = order - 1; i < test.length; i++) {
      List<Integer> context = Arrays.stream(test, i - (order - 1), i).boxed().toList();
      double p = expected.probability(context, test[i]);
      assertThat(nll.get(i).asDouble()).as("token %d", i).isCloseTo(-Math.log(p), within(2e-5));
    }
  }

  @Test
  void aReportShowsThePerplexityOfTheBaselineAtEveryLength() throws IOException {
    requireFlat(3, "trigram", "shards", "3,16,128,512", 10);
    requireReceptiveField(3, "trigram", 5);
    commands.run(
        "report",
        tiny.option("--results", "results/flat-trigram"),
        tiny.resolve("results/field-trigram").toString(),
        tiny.option("--output", "report"));
    String nothing = "[−+]0\\.000 \\[[−+]0\\.000, [−+]0\\.000]";
    assertThat(tiny.resolve("report/table.md"))
        .content()
        .containsPattern("\\| 512 \\| (\\d+\\.\\d\\d) \\| \\1 \\|\n")
        .containsPattern("\\| n-gram-3-heads \\| 3-gram( \\| " + nothing + "){4} \\|\n")
        .containsPattern("\\| n-gram-3-heads \\| extrapolates to 512 \\| 512 \\| " + nothing)
        .containsPattern("\\| 3 to 16 \\| " + nothing + " \\| no change that matters \\| × 1.000 ")
        .containsPattern("\\| n-gram-3-heads( \\| [12] \\([12]–[12]\\)){3} \\|");
  }

  @Tag("acceptance")
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void perplexityIsThatOfTheBaselineInLongTexts(int order) throws IOException {
    Random random = new Random(order);
    String model = "gram-" + order;
    String data = "long-" + order;
    tiny.write(
        data + ".jsonl",
        IntStream.range(0, 100)
            .mapToObj(
                document ->
                    random.ints(400, 0, 50).mapToObj(i -> "w" + i * i).collect(joining(" ")))
            .map("{\"text\":\"%s\"}\n"::formatted)
            .collect(joining()));
    commands.run(
        "prepare",
        tiny.option("--input", data + ".jsonl"),
        tiny.option("--output", data),
        "--tokenizer=bytes",
        "--set=split.train=0.5",
        "--set=split.validation=0.1",
        "--set=split.test=0.4");
    commands.run(construct("" + order, model, tiny.option("--data", data)));
    requireFlat(order, model, data, order + ",128,512,2048,8192", 5);
    requireReceptiveField(order, model, 20);
  }

  private void requireFlat(int order, String model, String data, String lengths, int samples)
      throws IOException {
    String output = "results/flat-" + model;
    commands.run(
        "evaluate",
        tiny.option("--checkpoint", model),
        tiny.option("--data", data),
        "--lengths=" + lengths,
        "--protocol=aligned,by-position",
        "--samples=" + samples,
        "--baseline=kneser-ney-" + order,
        tiny.option("--output", output));
    List<EvaluationResult> results = results(output);
    int numLengths = lengths.split(",").length;
    assertThat(results).hasSize(2 * 2 * numLengths);
    List<EvaluationResult> baselines =
        results.stream().filter(result -> result.run().startsWith("kneser-ney")).toList();
    List<EvaluationResult> ofModel =
        results.stream().filter(result -> !baselines.contains(result)).toList();
    for (EvaluationResult of : ofModel) {
      for (EvaluationResult baseline : baselines) {
        if (baseline.protocol() == of.protocol() && baseline.length() == of.length()) {
          requireEqual(order, rows(output, of), rows(output, baseline));
        }
      }
    }
    List<EvaluationResult> aligned =
        ofModel.stream().filter(result -> result.protocol() == Protocol.ALIGNED).toList();
    assertThat(aligned).hasSize(numLengths);
    ScoredTargets first = rows(output, aligned.get(0));
    for (EvaluationResult longer : aligned) {
      ScoredTargets same = rows(output, longer);
      for (int row = 0; row < samples; row++) {
        assertThat(same.nll(row)).isCloseTo(first.nll(row), within(1e-5));
      }
    }
  }

  /** Except in the first n - 1 tokens of a window, where the model repeats the first token. */
  private static void requireEqual(int order, ScoredTargets model, ScoredTargets baseline) {
    assertThat(model.count()).isEqualTo(baseline.count()).isPositive();
    for (int row = 0; row < model.count(); row++) {
      if (model.position(row) >= order - 1) {
        assertThat(model.nll(row)).isCloseTo(baseline.nll(row), within(2e-5));
      }
    }
  }

  private void requireReceptiveField(int order, String model, int samples) throws IOException {
    String output = "results/field-" + model;
    commands.run(
        "receptive-field",
        tiny.option("--checkpoint", model),
        tiny.data(),
        "--length=512",
        "--samples=" + samples,
        tiny.option("--output", output));
    GradientNorms norms =
        GradientNormsFile.read(
            tiny.resolve(output)
                .resolve(
                    "gradients-n-gram-%s-heads-seed0-step0-512-trained.arrow".formatted(order)));
    assertThat(norms.count()).isEqualTo(samples);
    int first = norms.length() - (order - 1);
    for (int sample = 0; sample < norms.count(); sample++) {
      for (int position = 0; position < first; position++) {
        assertThat(norms.norm(sample, position)).isZero();
      }
      assertThat(norms.norm(sample, norms.length() - 1)).isPositive();
    }
    assertThat(IntStream.range(0, norms.count()).mapToDouble(sample -> norms.norm(sample, first)))
        .as("the oldest of the last n - 1 tokens")
        .anyMatch(norm -> norm > 0);
    assertThat(CumulativeGradient.of(norms).effective())
        .allMatch(field -> field.high() <= order - 1);
  }

  @Test
  void otherCommandsTreatItAsACheckpoint() throws IOException {
    String checkpoint = tiny.option("--checkpoint", "trigram");
    assertThat(commands.run("inspect", tiny.resolve("trigram").toString()))
        .contains(
            "constructed  n-gram, floor -30.0, gap 128, order 3, smoothing kneser-ney, variant"
                + " heads")
        .contains("counted      shards, SHA-256 ");
    commands.run("export", checkpoint, "--format=safetensors", tiny.option("--output", "exported"));
    assertThat(embeddings("exported")).isEqualTo(embeddings("trigram"));
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

  private static float[] embeddings(String folder) throws IOException {
    try (SafetensorsFile file =
        SafetensorsFile.open(tiny.resolve(folder).resolve("model.safetensors"))) {
      return file.floats("transformer.wte.weight");
    }
  }

  /** Three tokens decide each next token, two do not. */
  @Test
  void greedyTextIsTheOnlyOneThatContinuesThePrompt() throws IOException {
    tiny.write("forced.txt", "abcd\nxbce\n");
    String source = tiny.option("--text", "forced.txt");
    commands.run(construct("4", "forced", source, "--smoothing=none"));
    for (String text : List.of("abcd", "xbce")) {
      assertThat(
              commands.run(
                  "generate",
                  tiny.option("--checkpoint", "forced"),
                  "--prompt=" + text.charAt(0),
                  "--temperature=0",
                  "--tokens=20"))
          .isEqualToNormalizingNewlines(text + "\n");
    }
  }

  @Test
  void aFewTextsGiveAModelWithANameAndFixedDiscounts() throws IOException {
    tiny.write("few.txt", "\uFEFFab\nb\n");
    try (CapturedLog log = new CapturedLog(KneserNey.class)) {
      String source = tiny.option("--text", "few.txt");
      assertThat(commands.run(construct("2", "few", source, "--name=two-texts")))
          .startsWith("2 texts\n3 histories of at most 1 token;");
      assertThat(log.lines())
          .anyMatch(
              line -> line.contains("Kneser-Ney of order 2: the counts give no discounts for "));
    }
    assertThat(commands.run("inspect", tiny.resolve("few").toString())).contains("two-texts");
  }

  @Test
  void frequenciesOfLinesAreThoseOfTheTexts() throws IOException {
    requireFrequencies(3, "heads");
  }

  @Tag("acceptance")
  @ParameterizedTest
  @CsvSource({"3,layers", "4,heads", "4,layers", "5,heads", "5,layers"})
  void frequenciesOfLinesAreThoseOfTheTextsAtOtherOrders(int order, String variant)
      throws IOException {
    requireFrequencies(order, variant);
  }

  /** Scores all texts of a and b up to six letters, with an end of text before and after each. */
  private void requireFrequencies(int order, String variant) throws IOException {
    tiny.write("six.txt", String.join("\n", TEXTS) + "\n");
    String output = "six-" + order + variant;
    String source = tiny.option("--text", "six.txt");
    assertThat(
            commands.run(
                construct("" + order, output, source, "--smoothing=none", "--variant=" + variant)))
        .startsWith("6 texts");
    String texts =
        IntStream.range(1, 1 << 7)
            .mapToObj(i -> Integer.toString(i, 2).substring(1).replace('0', 'a').replace('1', 'b'))
            .collect(joining("$", "$", "$"));
    JsonNode nll = score(output, texts.chars().map(c -> c == '$' ? 256 : c).toArray());
    int start = 1;
    for (int i = 1; i < texts.length(); i++) {
      String before = texts.substring(start, i);
      double p = frequency(order, before, texts.charAt(i));
      if (p > 0) {
        assertThat(Math.exp(-nll.get(i).asDouble())).as(before).isCloseTo(p, within(1e-5));
      } else if (p == 0) {
        assertThat(nll.get(i).asDouble()).as(before).isCloseTo(30, within(0.01));
      }
      start = texts.charAt(i) == '$' ? i + 1 : start;
    }
  }

  /**
   * How often a letter follows the last n - 1 letters in the texts; no number for an unknown
   * history.
   */
  private static double frequency(int order, String before, char next) {
    String start = "^".repeat(order - 1);
    String history = (start + before).substring(before.length());
    int numHistories = 0;
    int numFollowed = 0;
    for (String text : TEXTS) {
      String padded = start + text + "$";
      for (int i = 0; i + order <= padded.length(); i++) {
        numHistories += padded.startsWith(history, i) ? 1 : 0;
        numFollowed += padded.startsWith(history + next, i) ? 1 : 0;
      }
    }
    return (double) numFollowed / numHistories;
  }

  @Test
  void whatCannotBeBuiltIsRefusedWithNumbers() throws IOException {
    assertThat(commands.fail(2, construct("18", "none", tiny.data())))
        .contains("--order: expected 2 to 17, because T5's biases tell distances up to 15 apart");
    assertThat(commands.fail(2, construct("3", "none", tiny.data(), "--name=a b")))
        .contains("--name: expected letters, digits, '.', '_' and '-', found 'a b'");
    assertThat(commands.fail(2, construct("1", "none", tiny.data())))
        .contains("--order: expected 2 to 17");
    tiny.write("random.txt", randomLetters(200_000));
    assertThat(commands.fail(2, construct("17", "none", tiny.option("--text", "random.txt"))))
        .containsPattern(
            "--order 17: expected a model that fits into [\\d.]+ GB of memory, [\\d.]+ .B of them"
                + " Java heap, in arrays of at most 2,147,483,639 numbers, found [\\d,]+ parameters"
                + " of [\\d,]+ histories, which need .+ and .+, and an array of [\\d,]+ numbers")
        .containsPattern("the largest order that fits is \\d+ ");
    assertThat(tiny.resolve("none")).doesNotExist();
    assertThat(commands.fail(2, construct("3", "trigram", tiny.data())))
        .contains("trigram: expected a folder that does not exist, found a finished artifact")
        .doesNotContain("histories");
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
