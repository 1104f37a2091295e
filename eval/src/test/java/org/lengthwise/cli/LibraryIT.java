package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.generate.Scorer;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.perplexity.ProtocolConfig;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ScoredTargets;

/** The example of the library against the packaged jars, and the evaluation that it calls. */
class LibraryIT {
  private static final Path LIB = Path.of("target/lengthwise/lib").toAbsolutePath();

  private final Path temporary;
  private final String shards;

  LibraryIT(@TempDir Path temporary) throws IOException {
    this.temporary = temporary;
    Path text = Files.createDirectory(temporary.resolve("text"));
    for (int i = 0; i < 40; i++) {
      Files.writeString(text.resolve(i + ".txt"), "Sentence " + i + " of a text. ".repeat(20));
    }
    this.shards = temporary.resolve("shards").toString();
    new CommandRunner()
        .run(
            Stream.of(
                    "prepare --tokenizer bytes --set split.train=0.6 --set split.validation=0.1",
                    " --set split.test=0.3 --input " + text + " --output " + shards)
                .collect(Collectors.joining())
                .split(" "));
  }

  @Test
  void theExampleCompilesAndLearns() throws Exception {
    String jars;
    try (Stream<Path> files = Files.list(LIB)) {
      jars = files.map(Path::toString).collect(Collectors.joining(":"));
    }
    String classes = Files.createDirectory(temporary.resolve("classes")).toString();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes, "-cp", jars, LibraryTest.EXAMPLE.toString());
    assertThat(code).isZero();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String opens = "--add-opens=java.base/java.nio=ALL-UNNAMED";
    Process process =
        new ProcessBuilder(java, opens, "-cp", classes + ":" + jars, "LibraryExample", shards)
            .redirectError(temporary.resolve("errors").toFile())
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String errors = Files.readString(temporary.resolve("errors"));
    assertThat(process.waitFor()).as(errors).isZero();

    assertThat(output).contains("bias of head 0 at distance 3: -0.75");
    List<Double> losses = numbers("step \\d+: loss (.*)", output);
    assertThat(losses).hasSize(10).allMatch(Double::isFinite);
    assertThat(losses.get(0)).isCloseTo(Math.log(257), within(0.1));
    assertThat(losses.get(9)).isLessThan(losses.get(0) - 1);
    assertThat(numbers("first scored token: (.*) nats", output)).hasSize(1);
    assertThat(numbers("perplexity at \\d+ tokens: (.*)", output))
        .hasSize(2)
        .allSatisfy(perplexity -> assertThat(perplexity).isBetween(1.0, Math.exp(losses.get(0))));
  }

  private static List<Double> numbers(String line, String output) {
    return Pattern.compile("(?m)^" + line + "$")
        .matcher(output)
        .results()
        .map(found -> Double.valueOf(found.group(1)))
        .toList();
  }

  @Test
  void perplexityIsExpOfTheMeanOfTheScorersLastTokens() {
    ProtocolConfig protocol = new ProtocolConfig.Aligned(6);
    ModelConfig config = new ModelConfig(1, 8, 2, 257, new Alibi());
    try (ShardFolder folder = ShardFolder.open(shards);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights = Weights.initialise(config, new RandomStreams(1), Device.cpu());
        LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32)) {
      Evaluation evaluation = new Evaluation(EvaluationConfig.of(protocol), List.of(10, 30));
      ScoredTargets scored = evaluation.score(model, manager, folder, protocol, 10);
      Scorer scorer = new Scorer(model, manager);
      double mean =
          IntStream.range(0, scored.count())
              .mapToDouble(
                  i -> {
                    int[] window = new int[10];
                    folder.tokens(Split.TEST).read(scored.target(i) - 9, window, 0, 10);
                    return scorer.score(window)[8];
                  })
              .average()
              .orElseThrow();
      assertThat(scored.count()).isEqualTo(6);
      assertThat(scored.perplexity()).isCloseTo(Math.exp(mean), within(1e-3));
    }
  }
}
