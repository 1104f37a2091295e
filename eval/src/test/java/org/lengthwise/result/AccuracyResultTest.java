package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.AccuracyResult.AnswerTokens;
import org.lengthwise.result.AccuracyResult.Draw;
import org.lengthwise.result.AccuracyResult.Strings;

class AccuracyResultTest {
  private static final AccuracyResult ANSWERS =
      AccuracyResult.ofAnswers(
          Samples.checkpoint("alibi", 1),
          new Strings("sort", Draw.ANSWERS, 5, 20, null, List.of(), List.of()),
          3,
          new AnswerTokens(120, 4));

  private static final AccuracyResult LABELS =
      AccuracyResult.of(
          Samples.checkpoint("alibi", 1),
          new Strings(
              "parity_check",
              new Draw(Negatives.UNIFORM, 0.5),
              5,
              20,
              7L,
              List.of(11L, 9L),
              List.of()),
          3);

  @TempDir private Path folder;

  private String written(AccuracyResult result) throws IOException {
    ResultFile.ACCURACIES.append(folder, result);
    return Files.readString(folder.resolve("accuracy.jsonl"));
  }

  private AccuracyResult read(String line) throws IOException {
    Files.writeString(folder.resolve("accuracy.jsonl"), line);
    return ResultFile.ACCURACIES.values(folder).get(0);
  }

  @Test
  void linesOfAnswersDoNotSayHowStringsAreDrawn() throws IOException {
    String line = written(ANSWERS);
    assertThat(line).doesNotContain("\"negatives\"", "\"p\"", "\"samples_seed\"");
    assertThat(read(line)).isEqualTo(ANSWERS);
  }

  @Test
  void linesOfAnswersWithASeedAreRejected() throws IOException {
    String line = written(ANSWERS);
    String other = line.replace("\"length\":5", "\"samples_seed\":0,\"length\":5");
    assertThat(other).isNotEqualTo(line);
    assertThatThrownBy(() -> read(other))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("samples_seed");
  }

  @Test
  void linesOfLabelsSayHowStringsAreDrawn() throws IOException {
    String line = written(LABELS);
    assertThat(line)
        .contains("\"negatives\":\"uniform\"", "\"p\":0.5", "\"samples_seed\":7,")
        .doesNotContain("answer_tokens");
    assertThat(read(line)).isEqualTo(LABELS);
    assertThatThrownBy(() -> read(line.replace("\"samples_seed\":7,", "")))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("samples_seed");
    assertThatThrownBy(() -> read(line.replace("\"p\":0.5,", "")))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("p: expected a number");
  }
}
