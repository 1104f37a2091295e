package org.lengthwise.eval.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.DataFormatException;

class EvaluationResultTest {
  private static final ScoredTargets SCORED = Samples.scored(6.45, 1000, 3);
  private static final EvaluationResult RESULT =
      EvaluationResult.of(
          Samples.checkpoint("alibi", 7), Protocol.ALIGNED, 512, SCORED, Samples.DATA);

  @Test
  void derivesPerplexityAndStandardErrorFromTheSums() {
    double mean = 0;
    for (int i = 0; i < SCORED.count(); i++) {
      mean += SCORED.nll(i) / SCORED.count();
    }
    double squares = 0;
    for (int i = 0; i < SCORED.count(); i++) {
      squares += Math.pow(SCORED.nll(i) - mean, 2);
    }
    assertThat(RESULT.perplexity()).isCloseTo(6.45, within(1e-9));
    assertThat(RESULT.nllMean()).isCloseTo(mean, within(1e-12));
    assertThat(RESULT.standardError()).isCloseTo(Math.sqrt(squares / 999 / 1000), within(1e-12));
  }

  @Test
  void hasNoStandardErrorForOneTarget() {
    EvaluationResult one =
        EvaluationResult.of(
            Samples.checkpoint("alibi", 7),
            Protocol.ALIGNED,
            512,
            ScoredTargets.of(new long[] {9}, new double[] {1.5}),
            Samples.DATA);
    assertThat(one.standardError()).isNaN();
  }

  @Test
  void comesBackFromItsFileBitForBit(@TempDir Path folder) throws Exception {
    EvaluationResult other = Samples.aligned("regulargpt-16-2", -3, 1024, 7.06);
    EvaluationFile.write(folder, List.of(RESULT, other));
    assertThat(EvaluationFile.read(folder))
        .extracting(Located::value)
        .containsExactly(RESULT, other);
    assertThat(Files.readAllLines(folder.resolve("results.jsonl")))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("{\"format_version\":1,\"run\":\"alibi\",\"scheme\":\"alibi\",\"seed\":7,")
        .contains("\"protocol\":\"aligned\"", "\"nll_square_sum\":", "\"train_length\":128")
        .doesNotContain("perplexity");
  }

  @Test
  void namesTheLineThatIsNotAResult(@TempDir Path folder) throws Exception {
    EvaluationFile.write(folder, List.of(RESULT));
    Path file = folder.resolve("results.jsonl");
    String good = Files.readString(file);
    Files.writeString(file, good + good.replace("\"count\":1000", "\"count\":0"));
    assertThatThrownBy(() -> EvaluationFile.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("results.jsonl:2")
        .hasMessageContaining("count");
    Files.writeString(file, good.replace("aligned", "sideways"));
    assertThatThrownBy(() -> EvaluationFile.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("sideways");
  }

  @Test
  void rejectsNamesThatCannotStandInAFileName() {
    assertThatThrownBy(() -> Samples.aligned("a/b", 1, 128, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("run");
  }
}
