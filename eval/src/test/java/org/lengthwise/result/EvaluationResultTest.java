package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.DataFormatException;

class EvaluationResultTest {
  private static final ScoredTargets SCORED = Samples.scored(512, 6.45, 1000, 3);
  private static final EvaluationResult RESULT =
      EvaluationResult.of(
          Samples.checkpoint("alibi", 7), Protocol.ALIGNED, false, 512, SCORED, Samples.DATA);

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
    assertThat(RESULT.sums().mean()).isCloseTo(mean, within(1e-12));
    assertThat(RESULT.sums().standardError())
        .isCloseTo(Math.sqrt(squares / 999 / 1000), within(1e-12));
  }

  @Test
  void bitsPerByteAreBitsOfAllTargetsDividedByTheBytesOfTheirText() {
    EvaluationResult.Text text = new EvaluationResult.Text(4000L, Samples.DATA);
    double bits = RESULT.sums().count() * Math.log(6.45) / Math.log(2);
    assertThat(RESULT.with(text).bitsPerByte()).hasValueCloseTo(bits / 4000, within(1e-9));
    assertThat(RESULT.bitsPerByte()).isEmpty();
    assertThat(RESULT.with(new EvaluationResult.Text(0L, Samples.DATA)).bitsPerByte()).isEmpty();
    assertThatThrownBy(() -> new EvaluationResult.Text(-1L, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes: expected at least 0");
  }

  @Test
  void aLineWithoutBytesDoesNotKnowTheText(@TempDir Path folder) throws Exception {
    EvaluationResult known = RESULT.with(new EvaluationResult.Text(4000L, "0f".repeat(32)));
    ResultFile.EVALUATIONS.write(folder, List.of(known, RESULT));
    List<String> lines = Files.readAllLines(folder.resolve(ResultFile.EVALUATIONS.name()));
    assertThat(lines.get(0)).contains(",\"bytes\":4000,\"tokenizer_sha256\":\"0f0f");
    assertThat(lines.get(1)).doesNotContain("bytes\":", "tokenizer_sha256");
    assertThat(ResultFile.EVALUATIONS.values(folder)).containsExactly(known, RESULT);
  }

  @Test
  void hasNoStandardErrorForOneTarget() {
    EvaluationResult one =
        EvaluationResult.of(
            Samples.checkpoint("alibi", 7),
            Protocol.ALIGNED,
            false,
            512,
            ScoredTargets.lastTokens(512, new long[] {9}, new double[] {1.5}),
            Samples.DATA);
    assertThat(one.sums().standardError()).isNaN();
  }

  @Test
  void tellsHowManyTargetsEachWindowHas() {
    ScoredTargets scored =
        ScoredTargets.of(
            new long[] {30, 31, 32, 90, 91, 92}, new int[] {5, 6, 7, 5, 6, 7}, new double[6]);
    EvaluationResult result =
        EvaluationResult.of(
            Samples.checkpoint("alibi", 7), Protocol.SLIDING_WINDOW, true, 8, scored, Samples.DATA);
    assertThat(result.windows().scoredPerWindow()).isEqualTo(3);
    assertThat(result.numWindows()).isEqualTo(2);
    assertThat(result.windows().withinDocument()).isTrue();
    assertThatThrownBy(
            () ->
                EvaluationResult.of(
                    Samples.checkpoint("alibi", 7),
                    Protocol.SLIDING_WINDOW,
                    true,
                    9,
                    scored,
                    Samples.DATA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("position: expected up to 8, found 7");
  }

  @Test
  void aLineOfAnotherVersionOrMetricIsRejected(@TempDir Path folder) throws Exception {
    ResultFile.EVALUATIONS.write(folder, List.of(RESULT));
    Path file = folder.resolve(ResultFile.EVALUATIONS.name());
    String line = Files.readString(file);
    for (String other :
        List.of(
            line.replace("\"format_version\":3", "\"format_version\":2"),
            line.replace("\"metric\":\"perplexity\"", "\"metric\":\"accuracy\""))) {
      Files.writeString(file, other);
      assertThat(other).isNotEqualTo(line);
      assertThatThrownBy(() -> ResultFile.EVALUATIONS.read(folder))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining("results.jsonl:1");
    }
  }

  @Test
  void aFileRoundTripKeepsEveryBit(@TempDir Path folder) throws Exception {
    EvaluationResult other = Samples.aligned("regulargpt-16-2", -3, 1024, 7.06);
    ResultFile.EVALUATIONS.write(folder, List.of(RESULT, other));
    assertThat(ResultFile.EVALUATIONS.read(folder))
        .extracting(Located::value)
        .containsExactly(RESULT, other);
    assertThat(Files.readAllLines(folder.resolve("results.jsonl")))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("{\"format_version\":3,\"metric\":\"perplexity\",\"run\":\"alibi\",")
        .contains("\"protocol\":\"aligned\"", "\"nll_square_sum\":", "\"train_length\":128")
        .contains(
            "\"model\":{\"tokenizer\":\"bytes\",\"layers\":2,\"width\":64,\"recurrence\":\"none\"}")
        .doesNotContain("\"perplexity\":", "nll_mean");
  }

  @Test
  void anErrorNamesTheLine(@TempDir Path folder) throws Exception {
    ResultFile.EVALUATIONS.write(folder, List.of(RESULT));
    Path file = folder.resolve("results.jsonl");
    String good = Files.readString(file);
    Files.writeString(file, good + good.replace("\"count\":1000", "\"count\":0"));
    assertThatThrownBy(() -> ResultFile.EVALUATIONS.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("results.jsonl:2")
        .hasMessageContaining("count");
    Files.writeString(file, good.replace("aligned", "sideways"));
    assertThatThrownBy(() -> ResultFile.EVALUATIONS.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("sideways");
  }

  @Test
  void rejectsNamesThatCannotBePartOfAFileName() {
    assertThatThrownBy(() -> Samples.aligned("a/b", 1, 128, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("run");
  }
}
