package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.Protocol;
import org.lengthwise.result.Samples;
import org.lengthwise.result.ScoredTargets;

class ComparisonTest {
  private static Comparison compare(EvaluationResult... results) {
    return Comparison.of(located(results));
  }

  private static List<Located<EvaluationResult>> located(EvaluationResult... results) {
    return IntStream.range(0, results.length)
        .mapToObj(i -> new Located<>(Path.of("results.jsonl"), i + 1, results[i]))
        .toList();
  }

  private static EvaluationResult result(
      EvaluatedCheckpoint checkpoint, Protocol protocol, long firstTarget, String data) {
    ScoredTargets scored =
        ScoredTargets.lastTokens(128, new long[] {firstTarget, 99}, new double[] {1, 2});
    return EvaluationResult.of(checkpoint, protocol, false, 128, scored, data);
  }

  @Test
  void averagesPerplexitiesOverSeedsWithTheirSpread() {
    PerplexityTable table =
        compare(
                Samples.aligned("t5", 1, 128, 4),
                Samples.aligned("t5", 2, 128, 5),
                Samples.aligned("t5", 3, 128, 9),
                Samples.aligned("t5", 1, 256, 7))
            .tables()
            .get(0);
    TableCell cell = table.cell(table.columns().get(0), 128).orElseThrow();
    assertThat(cell.numSeeds()).isEqualTo(3);
    assertThat(cell.mean()).isCloseTo(6, within(1e-9));
    assertThat(cell.deviation()).hasValueCloseTo(Math.sqrt(7), within(1e-9));
    assertThat(table.cell(table.columns().get(0), 256).orElseThrow().deviation()).isEmpty();
    assertThat(table.seeds(table.columns().get(0))).isEqualTo("1–3");
    assertThat(table.cell(table.columns().get(0), 512)).isEmpty();
  }

  @Test
  void theColumnsOfThePaperComeFirst() {
    Comparison comparison =
        compare(
            Samples.aligned("none", 1, 128, 4),
            Samples.aligned("alibi", 1, 128, 4),
            Samples.aligned("regulargpt-16-2", 1, 128, 4),
            Samples.aligned("kerple-log", 1, 128, 4),
            Samples.aligned("regulargpt-128-6", 1, 128, 4));
    assertThat(comparison.columns())
        .extracting(Column::run)
        .containsExactly("kerple-log", "alibi", "regulargpt-128-6", "none", "regulargpt-16-2");
  }

  @Test
  void keepsProtocolsApart() {
    List<PerplexityTable> tables =
        compare(
                result(Samples.checkpoint("t5", 1), Protocol.INDEPENDENT, 1, Samples.DATA),
                result(Samples.checkpoint("t5", 1), Protocol.ALIGNED, 1, Samples.DATA))
            .tables();
    assertThat(tables)
        .extracting(PerplexityTable::protocol)
        .containsExactly(Protocol.ALIGNED, Protocol.INDEPENDENT);
  }

  @Test
  void aRepeatedResultCountsOnce() {
    EvaluationResult result = Samples.aligned("t5", 1, 128, 4);
    assertThat(compare(result, result).results()).containsExactly(result);
  }

  @Test
  void rejectsResultsThatCannotBeCompared() {
    EvaluatedCheckpoint first = Samples.checkpoint("t5", 1);
    EvaluationResult base = result(first, Protocol.ALIGNED, 1, Samples.DATA);
    EvaluatedCheckpoint longer =
        new EvaluatedCheckpoint("t5", "t5", 2, "elsewhere", 1200, 256, Samples.MODEL);
    EvaluatedCheckpoint other =
        new EvaluatedCheckpoint("t5", "alibi", 2, "elsewhere", 1200, 128, Samples.MODEL);
    EvaluatedCheckpoint earlier =
        new EvaluatedCheckpoint("t5", "t5", 1, "elsewhere", 600, 128, Samples.MODEL);
    EvaluatedCheckpoint wider =
        new EvaluatedCheckpoint(
            "t5", "t5", 2, "elsewhere", 1200, 128, new EvaluatedCheckpoint.Model("bytes", 2, 128));
    assertStops("one test set", base, result(first, Protocol.ALIGNED, 1, "cd".repeat(32)));
    assertStops("one scheme", base, result(other, Protocol.ALIGNED, 1, Samples.DATA));
    assertStops("one model", base, result(wider, Protocol.ALIGNED, 1, Samples.DATA));
    assertStops("training length", base, result(longer, Protocol.ALIGNED, 1, Samples.DATA));
    assertStops("training step", base, result(earlier, Protocol.INDEPENDENT, 1, Samples.DATA));
    assertStops("one choice of windows", base, withinDocuments(first));
    assertStops("one result for each", base, result(first, Protocol.ALIGNED, 2, Samples.DATA));
  }

  @Test
  void aModelIsReadWithBosOrWithout() {
    EvaluationResult with = Samples.aligned("llama", 0, 128, 4).withBos(Optional.of(1));
    EvaluationResult longer = Samples.aligned("llama", 0, 256, 4);
    assertStops("windows with BOS or windows without BOS for each model", with, longer);
    assertStops("found without BOS here and with BOS in", with, longer);
    assertStops("not both", with, Samples.aligned("llama-yarn", 0, 128, 4));
    EvaluationResult other = Samples.aligned("pythia", 0, 128, 4);
    assertThat(compare(with, longer.withBos(Optional.of(1)), other).results()).hasSize(3);
  }

  /** A result on the test set of another tokenizer. */
  private static EvaluationResult other(String run, EvaluationResult.Text text) {
    EvaluatedCheckpoint.Model model = new EvaluatedCheckpoint.Model("tokenizer.json", 2, 64);
    EvaluatedCheckpoint checkpoint =
        new EvaluatedCheckpoint(run, "rope", 1, "models/" + run, 0, 2048, model);
    return result(checkpoint, Protocol.ALIGNED, 5, "cd".repeat(32)).with(text);
  }

  @Test
  void resultsOfSeveralTokenizersAreComparedIfAllKnowTheirBytes() {
    EvaluationResult.Text bytes = new EvaluationResult.Text(2L, "01".repeat(32));
    EvaluationResult.Text tokens = new EvaluationResult.Text(9L, "02".repeat(32));
    EvaluationResult ours =
        result(Samples.checkpoint("t5", 1), Protocol.ALIGNED, 1, Samples.DATA).with(bytes);
    assertThat(compare(ours).isMixed()).isFalse();
    Comparison mixed = compare(ours, other("pythia", tokens));
    assertThat(mixed.isMixed()).isTrue();
    assertThat(mixed.tables().get(0).notes()).noneMatch(note -> note.startsWith("Warning"));

    String twoSets = "another test set than in other results, and no bytes (pythia)";
    assertThatThrownBy(() -> compare(ours, other("pythia", EvaluationResult.Text.UNKNOWN)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("results.jsonl:2: expected one test set, or bytes in each result")
        .hasMessageContaining(twoSets);
    EvaluationResult older = result(Samples.checkpoint("t5", 1), Protocol.ALIGNED, 1, Samples.DATA);
    assertThatThrownBy(() -> compare(older, other("pythia", tokens)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("results.jsonl:1: expected one test set, or bytes in each result");
    assertStops("one test set", ours, other("pythia", bytes));
  }

  @Test
  void olderResultsOfTheSameTestSetAreNotOfAnotherTokenizer() {
    EvaluationResult older = result(Samples.checkpoint("t5", 1), Protocol.ALIGNED, 1, Samples.DATA);
    EvaluationResult.Text text = new EvaluationResult.Text(2L, "01".repeat(32));
    EvaluationResult newer =
        result(Samples.checkpoint("alibi", 1), Protocol.ALIGNED, 1, Samples.DATA).with(text);
    assertThat(compare(older, newer).isMixed()).isFalse();
  }

  private static EvaluationResult withinDocuments(EvaluatedCheckpoint checkpoint) {
    return EvaluationResult.of(
        checkpoint, Protocol.ALIGNED, true, 256, Samples.scored(256, 5, 10, 1), Samples.DATA);
  }

  private static void assertStops(String expected, EvaluationResult... results) {
    assertThatThrownBy(() -> compare(results))
        .as(() -> Arrays.toString(results))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(expected)
        .hasMessageContaining("results.jsonl:1")
        .hasMessageContaining("results.jsonl:2");
  }

  @Test
  void notesDescribeTheWholeProtocol() {
    EvaluatedCheckpoint t5 = Samples.checkpoint("t5", 1);
    assertThat(compare(withinDocuments(t5)).tables().get(0).notes())
        .first()
        .asString()
        .startsWith("Protocol aligned: ")
        .endsWith("; the last token of each window is scored, windows lie within documents.");
    assertThat(firstNote(t5, Protocol.SLIDING_WINDOW, 5))
        .endsWith(
            "; the last 2 tokens of each window are scored, windows cross document boundaries.");
    assertThat(firstNote(t5, Protocol.BY_POSITION, 1))
        .contains("; all tokens of each window except the first are scored, windows");
  }

  /** The first note on results that score one window of 7 tokens from a position on. */
  private static String firstNote(EvaluatedCheckpoint subject, Protocol protocol, int first) {
    int[] positions = IntStream.rangeClosed(first, 6).toArray();
    long[] targets = IntStream.of(positions).asLongStream().toArray();
    ScoredTargets scored = ScoredTargets.of(targets, positions, new double[positions.length]);
    return compare(EvaluationResult.of(subject, protocol, false, 7, scored, Samples.DATA))
        .tables()
        .get(0)
        .notes()
        .get(0);
  }

  @ParameterizedTest
  @EnumSource(names = {"ALIGNED", "SLIDING_WINDOW", "INDEPENDENT"})
  void warnsIfTargetsDiffer(Protocol protocol) {
    EvaluationResult one = result(Samples.checkpoint("t5", 1), protocol, 1, Samples.DATA);
    EvaluationResult two = result(Samples.checkpoint("alibi", 1), protocol, 2, Samples.DATA);
    assertThat(compare(one, two).tables().get(0).notes())
        .anyMatch(note -> note.startsWith("Warning: 2 different sets of targets"));
    assertThat(compare(one).tables().get(0).notes()).noneMatch(note -> note.startsWith("Warning"));
  }
}
