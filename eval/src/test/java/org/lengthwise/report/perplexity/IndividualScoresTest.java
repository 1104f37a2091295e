package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.measure.perplexity.DocumentEnds;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.perplexity.TableStatistics.Difference;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.Protocol;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.PositionBin;
import org.lengthwise.statistics.Scores;

/** The rows of two runs whose windows have several scored tokens, in a report. */
class IndividualScoresTest {
  private static final int WINDOWS = 20;
  private static final int LONGEST = 16;

  private final Path folder;

  IndividualScoresTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** The last tokens of 20 windows in no order. Later positions are easier. */
  private ScoredTargets scored(int length, int last, double above) {
    long[] targets = new long[WINDOWS * last];
    int[] positions = new int[targets.length];
    double[] nlls = new double[targets.length];
    for (int row = 0; row < targets.length; row++) {
      int window = row / last;
      positions[row] = length - last + row % last;
      targets[row] = end(window) - length + 1 + positions[row];
      nlls[row] = 1 + 1.0 / positions[row] + above * (window % 2 == 0 ? 1.1 : 0.9);
    }
    return ScoredTargets.of(targets, positions, nlls);
  }

  private static long end(int window) {
    return 7015 + 1000L * window + 137 * window % 500;
  }

  private void write(String run, Protocol protocol, int length, int last, double above)
      throws IOException {
    ScoredTargets scored = scored(length, last, above);
    EvaluationResult result =
        EvaluationResult.of(
            Samples.checkpoint(run, 1), protocol, false, length, scored, Samples.DATA);
    NllFile.write(folder, result, scored);
    List<EvaluationResult> results = new ArrayList<>();
    if (ResultFile.EVALUATIONS.isIn(folder)) {
      found().stream().map(Located::value).forEach(results::add);
    }
    results.add(result);
    ResultFile.EVALUATIONS.write(folder, results);
  }

  private List<Located<EvaluationResult>> found() throws IOException {
    return ResultFile.EVALUATIONS.read(folder);
  }

  private void writeByPosition() throws IOException {
    for (int length : new int[] {8, LONGEST}) {
      write("t5", Protocol.BY_POSITION, length, length - 1, 0);
      write("alibi", Protocol.BY_POSITION, length, length - 1, 0.1);
    }
  }

  @Test
  void everyWindowIsAUnit() throws IOException {
    writeByPosition();
    IndividualScores scores = IndividualScores.read(found(), DocumentEnds.none());
    Scores whole = scores.of("t5", Protocol.BY_POSITION, LONGEST).orElseThrow();
    assertThat(whole.numTokens()).isEqualTo(WINDOWS * 15);
    assertThat(whole.numUnits()).isEqualTo(WINDOWS);
  }

  @Test
  void windowsThatCoverALongerWindowAreOneUnitWithIt() throws IOException {
    write("t5", Protocol.NON_OVERLAPPING, 4, 3, 0);
    write("t5", Protocol.NON_OVERLAPPING, 7001, 7000, 0);
    IndividualScores scores = IndividualScores.read(found(), DocumentEnds.none());
    // The ends from 7,015 to 26,118 are in the second to the fourth stretch of 7,000 tokens.
    assertThat(scores.of("t5", Protocol.NON_OVERLAPPING, 4).orElseThrow().numUnits()).isEqualTo(3);
  }

  /** Ten windows of 0.11 and ten of 0.09, whatever the number of tokens: 0.01 / sqrt(19). */
  @Test
  void theStandardErrorOfAResultIsOverWindows() throws IOException {
    writeByPosition();
    EvaluationResult result =
        found().stream()
            .map(Located::value)
            .filter(one -> one.run().equals("alibi") && one.length() == LONGEST)
            .findFirst()
            .orElseThrow();
    assertThat(IndividualScores.read(found(), DocumentEnds.none()).standardError(result))
        .hasValueCloseTo(0.01 / Math.sqrt(19), within(1e-12));
    assertThat(IndividualScores.read(List.of(), DocumentEnds.none()).standardError(result))
        .isEmpty();
  }

  @Test
  void lossesByPositionAreOfTheLongestLength() throws IOException {
    writeByPosition();
    IndividualScores scores = IndividualScores.read(found(), DocumentEnds.none());
    Scores early = scores.at("t5", Protocol.BY_POSITION, new PositionBin(1, 1)).orElseThrow();
    assertThat(early.mean()).isCloseTo(2, within(1e-12));
    assertThat(early.numTokens()).isEqualTo(WINDOWS);
    List<PositionBin> bins = PositionBin.upTo(LONGEST - 1);
    int tokens = 0;
    for (PositionBin bin : bins) {
      Scores scored = scores.at("t5", Protocol.BY_POSITION, bin).orElseThrow();
      assertThat(scored.numUnits()).isEqualTo(WINDOWS);
      tokens += scored.numTokens();
    }
    assertThat(tokens).isEqualTo(WINDOWS * 15);
  }

  @Test
  void lengthsAreComparedOnlyIfWindowsHaveEquallyManyScoredTokens() throws IOException {
    writeByPosition();
    write("t5", Protocol.SLIDING_WINDOW, 8, 4, 0);
    write("t5", Protocol.SLIDING_WINDOW, LONGEST, 4, 0);
    IndividualScores scores = IndividualScores.read(found(), DocumentEnds.none());
    assertThat(scores.scoresAlike(Protocol.SLIDING_WINDOW)).isTrue();
    assertThat(scores.scoresAlike(Protocol.BY_POSITION)).isFalse();
    assertThat(statistics(Protocol.BY_POSITION).lengthChanges()).isEmpty();
    assertThat(statistics(Protocol.BY_POSITION).changesOf(new Column("t5", 128))).isEmpty();
    assertThat(statistics(Protocol.SLIDING_WINDOW).lengthChanges()).hasSize(1);
    // Some targets of two draws may be equal by chance.
    write("t5", Protocol.INDEPENDENT, 8, 1, 0);
    write("t5", Protocol.INDEPENDENT, LONGEST, 1, 0);
    assertThat(statistics(Protocol.INDEPENDENT).lengthChanges()).isEmpty();
  }

  @Test
  void twoRunsAreComparedByWindow() throws IOException {
    writeByPosition();
    TableStatistics statistics = statistics(Protocol.BY_POSITION);
    assertThat(statistics.differencesAt(LONGEST)).hasSize(1);
    Difference difference = statistics.differencesAt(LONGEST).get(0);
    Estimate nll = difference.nll();
    assertThat(nll.mean()).isCloseTo(-0.1, within(1e-12)); // T5 is first
    assertThat(nll.numUnits()).isEqualTo(WINDOWS);
    // Ten of 0.11 and ten of 0.09: a standard error of 0.01 / sqrt(19), times Student's 2.093.
    assertThat(nll.interval().high()).isCloseTo(-0.1 + 0.0048, within(0.0008));
    assertThat(MarkdownTable.of(TableStatisticsTest.tables(statistics)))
        .contains("| T5 is better | 300 in 20 | 1 |", "independent groups of windows");
  }

  private TableStatistics statistics(Protocol protocol) throws IOException {
    PerplexityTable table =
        Comparison.of(found()).tables().stream()
            .filter(one -> one.protocol() == protocol)
            .findFirst()
            .orElseThrow();
    return TableStatistics.of(
        table, IndividualScores.read(found(), DocumentEnds.none()), TableStatisticsTest.RULES);
  }
}
