package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code score} and {@code generate} with a checkpoint. */
class ScoreAndGenerateIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainAModel() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.train("regulargpt", "{scheme: regulargpt, chunk: 8}");
  }

  private static String checkpoint() {
    return tiny.checkpoint("regulargpt");
  }

  @Test
  void tokensAndTheirTextHaveTheSameScores() throws IOException {
    tiny.write("sample.txt", "the text");
    tiny.write("tokens.json", "[116,104,101,32,116,101,120,116]");
    String expected =
        commands.run("score", checkpoint(), tiny.option("--tokens", "tokens.json"), "--json");
    JsonNode scores = new ObjectMapper().readTree(expected);
    assertThat(scores.get("tokens")).hasSize(8);
    assertThat(scores.get("nll").get(0).isNull()).isTrue();
    assertThat(scores.get("nll").get(7).doubleValue()).isBetween(0.0, 12.0);
    assertThat(commands.run("score", checkpoint(), tiny.option("--text", "sample.txt"), "--json"))
        .isEqualTo(expected);
  }

  @Test
  void aTokenOutsideTheVocabularyIsBadData() throws IOException {
    tiny.write("bad.json", "[1, 257]");
    assertThat(commands.fail(3, "score", checkpoint(), tiny.option("--tokens", "bad.json")))
        .contains(
            "token 1: expected an id from 0 to 256, the last row of the embedding, found 257");
  }

  private String generated(String... options) {
    String[] words = {"generate", checkpoint(), "--tokens=40"};
    return commands.run(Stream.of(words, options).flatMap(Stream::of).toArray(String[]::new));
  }

  @Test
  void theSameSeedContinuesAPromptInTheSameWay() throws IOException {
    tiny.write("prompt.txt", "thé text");
    String text = generated("--prompt=thé text", "--seed=3");
    assertThat(text).startsWith("thé text").hasSizeGreaterThan("thé text\n".length());
    assertThat(generated(tiny.option("--prompt-file", "prompt.txt"), "--seed=3")).isEqualTo(text);
    assertThat(generated("--prompt=thé text", "--seed=4")).isNotEqualTo(text);
    String greedy = generated("--prompt=thé text", "--temperature=0", "--seed=3");
    assertThat(generated("--prompt=thé text", "--top-k=1", "--seed=4")).isEqualTo(greedy);
    assertThat(generated("--prompt=", "--set=context=8")).isNotEmpty();
  }

  @Test
  void wrongOptionsOfGenerateAreWrongUsage() {
    assertThat(commands.fail(2, "generate", checkpoint(), "--prompt=x", "--top-p=2"))
        .contains("top_p");
    commands.fail(2, "generate", checkpoint());
    commands.fail(2, "generate", checkpoint(), "--prompt-file=" + folder);
  }
}
