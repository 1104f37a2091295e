package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.AccuracyResult.Baseline;
import org.lengthwise.result.AccuracyResult.Bin;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;

class AccuracyResultTest {
  private static final ObjectNode NONE = JsonNodeFactory.instance.objectNode();

  private static final AccuracyResult ANSWERS =
      AccuracyResult.of(
          AccuracyResult.ANSWERS,
          Samples.checkpoint("alibi", 1),
          new Strings("sort", NONE, Drawn.TEST, 5, 20, null),
          new Share("strings", 17, 20),
          new Share("tokens", 116, 120));

  private static final AccuracyResult RECALL =
      AccuracyResult.of(
              AccuracyResult.RECALL,
              Samples.checkpoint("alibi", 1),
              new Strings(
                  "mqar", NONE.deepCopy().put("a", 0.5).put("pairs", 4), Drawn.MIXED, 5, 20, 7L),
              new Share("strings", 17, 20),
              new Share("tokens", 36, 40, 0.25))
          .with(List.of(new Baseline("a rule", false, List.of(3L, 10L))))
          .with(List.of(new Bin(1, 20, 20), new Bin(2, 16, 20)), Map.of("gain", 1.5));

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
  void linesAreReadAsTheyWereWritten() throws IOException {
    String line = written(ANSWERS);
    assertThat(line).doesNotContain("\"samples_seed\"");
    assertThat(read(line)).isEqualTo(ANSWERS);
    Files.delete(folder.resolve("accuracy.jsonl"));
    line = written(RECALL);
    assertThat(line)
        .contains("\"settings\":{\"a\":0.5,\"pairs\":4},\"drawn\":\"mixed\"")
        .contains("\"samples_seed\":7,");
    assertThat(read(line)).isEqualTo(RECALL);
  }

  @Test
  void sharesThatDoNotAddUpAreRejected() throws IOException {
    String line = written(ANSWERS);
    assertThatThrownBy(() -> read(line.replace("\"right\":17", "\"right\":21")))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("right: expected 0 to 20");
    assertThatThrownBy(
            () -> read(line.replace("\"length\":5,\"count\":20", "\"length\":5,\"count\":19")))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("shares: expected one of all strings first");
  }

  @Test
  void labelsAreThoseOfTheKind() {
    assertThat(ANSWERS.label()).isEqualTo("answers");
    assertThat(RECALL.label()).isEqualTo("a 0.5, pairs 4");
    assertThat(labelled("near", 0.5)).isEqualTo("near");
    assertThat(labelled("uniform", 0.7)).isEqualTo("p = 0.7");
  }

  private static String labelled(String negatives, double p) {
    ObjectNode settings = NONE.deepCopy().put("negatives", negatives).put("p", p);
    return AccuracyResult.of(
            AccuracyResult.LABELS,
            Samples.checkpoint("alibi", 1),
            new Strings("parity_check", settings, Drawn.TEST, 5, 20, 7L),
            new Share("strings", 17, 20))
        .label();
  }
}
