package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.ResultFile;
import org.lengthwise.statistics.Proportion;

/** The zero-shot passkey of models that a few steps have trained. */
class PasskeyIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private static Path folder;

  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void train() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.train("alibi", "{scheme: alibi}");
    tiny.train("rope", "{scheme: rope, base: 10000}");
    tiny.train("regulargpt", "{scheme: regulargpt, chunk: 4}");
  }

  private String probe(String run, String output, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "evaluate",
                tiny.checkpoint(run),
                tiny.data(),
                "--protocol=passkey",
                tiny.option("--output", output)));
    words.addAll(List.of(more));
    return commands.run(words.toArray(String[]::new));
  }

  private List<JsonNode> prompts(String output) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(tiny.resolve(output).resolve("prompts.jsonl"))) {
      lines.add(MAPPER.readTree(line));
    }
    return lines;
  }

  /** The command score reads each whole text; bytes are ids. The filler is five sentences. */
  @ParameterizedTest
  @CsvSource({
    "alibi, none, alibi, 120",
    "regulargpt, none, regulargpt, 120",
    "regulargpt, none, regulargpt, 64", // the last token before one level more
    "rope, yarn, rope-yarn, 120"
  })
  void scoresAreThoseOfWholeTexts(String run, String scaling, String model, int length)
      throws IOException {
    String scaled = "--position-scaling=" + scaling;
    String output = "sentences-" + run + length;
    assertThat(
            probe(
                run,
                output,
                scaled,
                "--lengths=" + length,
                "--samples=2",
                "--set=depths=[0.5]",
                "--set=filler=sentences"))
        .contains(model + " seed 1 at " + length + ", depth 0.5: choice ");
    for (JsonNode line : prompts(output)) {
      assertThat(line.get("keys")).hasSize(10);
      for (int key = 0; key < 10; key += 9) {
        String digits = spaced(line.get("keys").get(key).asText());
        String needle = " The pass key is" + spaced(line.get("keys").get(0).asText()) + ".";
        String question = " The pass key is";
        int room = length - 9 - needle.length() - question.length();
        String filler =
            (" The grass is green. The sky is blue. The sun is yellow. Here we go. There and back"
                    + " again.")
                .repeat(2);
        int half = (int) Math.floor(room * 0.5 + 0.5);
        String prompt =
            filler.substring(0, half) + needle + filler.substring(half, room) + question + digits;
        List<Integer> ids = new ArrayList<>();
        for (byte value : prompt.getBytes(StandardCharsets.UTF_8)) {
          ids.add((int) value);
        }
        assertThat(ids).hasSize(length + 1);
        Path file = tiny.write("tokens.json", MAPPER.writeValueAsString(ids));
        JsonNode nll =
            MAPPER
                .readTree(
                    commands.run(
                        "score", tiny.checkpoint(run), "--tokens=" + file, scaled, "--json"))
                .get("nll");
        double sum = 0;
        for (int i = length - 9; i < length + 1; i++) {
          sum += nll.get(i).asDouble();
        }
        assertThat(line.get("nll").get(key).asDouble()).isCloseTo(sum, within(1e-3));
      }
    }
  }

  private static String spaced(String key) {
    return key.replaceAll("(.)", " $1");
  }

  @Test
  void everyNumberCanBeCountedFromThePromptsAndTheControlIsAGuess() throws IOException {
    probe("alibi", "probed", "--lengths=64,90", "--samples=12", "--set=depths=[0,1]");
    List<JsonNode> prompts = prompts("probed");
    List<AccuracyResult> results = ResultFile.ACCURACIES.values(tiny.resolve("probed"));
    assertThat(results).hasSize(4);
    long control = 0;
    for (AccuracyResult result : results) {
      long choice = 0;
      long inControl = 0;
      double gain = 0;
      for (JsonNode line : prompts) {
        if (line.get("length").asInt() == result.length()
            && line.get("depth").asDouble()
                == result.strings().settings().get("depth").asDouble()) {
          choice += isFirstLeast(line.get("nll")) ? 1 : 0;
          inControl += isFirstLeast(line.get("control")) ? 1 : 0;
          gain += line.get("other").asDouble() - line.get("nll").get(0).asDouble();
        }
      }
      assertThat(result.strings().count()).isEqualTo(12);
      assertThat(result.share(0).right()).isEqualTo(choice);
      assertThat(result.share(2).right()).isEqualTo(inControl);
      assertThat(result.means().get("gain")).isCloseTo(gain / 12, within(1e-9));
      control += inControl;
    }
    assertThat(new Proportion(control, 48).interval(0.999).contains(0.1)).isTrue();
    commands.run(
        "report", tiny.option("--results", "probed"), tiny.option("--output", "probe-report"));
    assertThat(tiny.resolve("probe-report/table.md")).content().contains("## Passkey, all depths");
    assertThat(tiny.resolve("probe-report/passkey-gain-alibi-seed1-text.svg")).isNotEmptyFile();
    assertThat(tiny.resolve("probe-report/passkey.csv")).isNotEmptyFile();
  }

  private static boolean isFirstLeast(JsonNode values) {
    for (int i = 1; i < values.size(); i++) {
      if (values.get(i).asDouble() <= values.get(0).asDouble()) {
        return false;
      }
    }
    return true;
  }
}
