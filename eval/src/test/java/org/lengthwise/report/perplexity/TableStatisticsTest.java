package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.perplexity.DocumentEnds;
import org.lengthwise.report.form.LatexTable;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.perplexity.TableStatistics.LengthChange;
import org.lengthwise.report.training.TrainingPart;
import org.lengthwise.result.FinishedResults;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.lengthwise.statistics.Bootstrap;
import org.lengthwise.statistics.ContextRule;
import org.lengthwise.statistics.DocumentEndRule;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.PowerRule;
import org.lengthwise.statistics.VerdictRule;
import org.lengthwise.statistics.WordRule;

class TableStatisticsTest {
  static final PerplexityRules RULES =
      new PerplexityRules(
          new Bootstrap(500, 0.95, 2023),
          new VerdictRule(1.05, 2),
          new WordRule(1.01),
          new ContextRule(null, 0.5),
          new DocumentEndRule(null, 64),
          new PowerRule(1.02, 0.8),
          List.of());

  private final Path root;

  TableStatisticsTest(@TempDir Path root) {
    this.root = root;
  }

  @BeforeEach
  void measureThreeSchemes() throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      write("alibi", seed, Map.of(128, 5 + 0.01 * seed, 256, 5.0, 512, 5.01));
      write("t5", seed, Map.of(128, 5.5, 256, 7.0, 512, 8.5));
      write("regulargpt-16-2", seed, Map.of(128, 6.0, 256, 6.0, 512, 60.0 + seed));
    }
  }

  private void write(String run, long seed, Map<Integer, Double> perplexities) throws IOException {
    Samples.write(root.resolve(run + seed), run, seed, perplexities);
  }

  static List<TableText> tables(TableStatistics statistics) {
    StatisticsTables tables = new StatisticsTables(statistics, RULES);
    return List.of(
        tables.verdicts(),
        tables.changes(),
        tables.lengthChanges(),
        tables.differencesAt(statistics.longest()));
  }

  private TableStatistics statistics() throws IOException {
    FinishedResults found = FinishedResults.under(List.of(root));
    return TableStatistics.of(
        Comparison.of(found.of(ResultFile.EVALUATIONS)).tables().get(0),
        IndividualScores.read(found.of(ResultFile.EVALUATIONS), DocumentEnds.none()),
        RULES);
  }

  @Test
  void verdictsFollowFromPairedChanges() throws IOException {
    TableStatistics statistics = statistics();
    assertThat(statistics.verdicts().values())
        .extracting(verdict -> verdict.words())
        .containsExactly(
            "degrades from 256", "extrapolates to 512", "explodes from 512; holds to 256");
    Estimate change = statistics.longestChange(new Column("t5", 128)).getValue();
    assertThat(change.mean()).isCloseTo(Math.log(8.5 / 5.5), within(1e-9));
    assertThat(change.numSeeds()).isEqualTo(3);
    assertThat(change.numTokens()).isEqualTo(200);
    assertThat(change.interval().low()).isBetween(0.3, change.mean());
  }

  /** RegularGPT 16/2 is flat up to 256 and explodes at 512. */
  @Test
  void lengthChangesShowWhereARunRises() throws IOException {
    TableStatistics statistics = statistics();
    assertThat(statistics.lengthChanges())
        .filteredOn(step -> step.run().run().equals("regulargpt-16-2"))
        .extracting(LengthChange::from, LengthChange::to)
        .containsExactly(tuple(128, 256), tuple(256, 512));
    assertThat(MarkdownTable.of(List.of(new StatisticsTables(statistics, RULES).lengthChanges())))
        .contains(
            "| RegularGPT 16/2 | 128 to 256 | +0.000 [+0.000, +0.000] | no change that matters | ×"
                + " 1.000 |",
            "| RegularGPT 16/2 | 256 to 512 | +2.335 [",
            "| rises | × 10.33",
            "| 200 | 3 |");
  }

  @Test
  void everyTwoRunsAreComparedAtEveryLength() throws IOException {
    TableStatistics statistics = statistics();
    assertThat(statistics.differences()).hasSize(9);
    assertThat(new StatisticsTables(statistics, RULES).differenceWords(512))
        .containsExactly("ALiBi is better", "T5 is better", "ALiBi is better");
  }

  @Test
  void equalRunsAreNotDistinguishable() throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      write("none", seed, Map.of(512, 5.0 + 0.2 * (seed % 2)));
    }
    assertThat(new StatisticsTables(statistics(), RULES).differenceWords(512))
        .contains("not distinguishable");
  }

  @Test
  void tablesStateVerdictsAndChanges() throws IOException {
    List<TableText> tables = tables(statistics());
    assertThat(MarkdownTable.of(tables))
        .contains(
            "| run | verdict | T_ex | change in nats | perplexity | tokens | seeds |\n"
                + "| :--- | :--- | ---: |",
            "| ALiBi | extrapolates to 512 | 512 | \u22120.00",
            "× 1.545",
            "is at most 1.05 times",
            "the 95 % interval",
            "500 resamples",
            "## Paired differences at T_ex = 512, aligned protocol");
    assertThat(LatexTable.of(tables))
        .contains("\\begin{tabular}{llrrrrr}", "$\\times$ 1.545", "$-$0.00");
  }

  @Test
  void resultsWithoutTheirRowsHaveNoIntervals() throws IOException {
    try (var files = Files.walk(root)) {
      for (Path rows : files.filter(file -> file.toString().endsWith(".arrow")).toList()) {
        Files.delete(rows);
      }
    }
    assertThat(statistics().verdicts()).isEmpty();
    PerplexityPart perplexity =
        PerplexityPart.of(
            FinishedResults.under(List.of(root)).of(ResultFile.EVALUATIONS), List.of(), RULES);
    TrainingPart training = new TrainingPart(List.of(), perplexity.results(), List.of());
    assertThat(
            Stream.of(perplexity, training)
                .flatMap(part -> part.sections(new Looks(perplexity.runs().toList())).stream())
                .flatMap(Section::tables))
        .extracting(TableText::title)
        .containsExactly(
            "Perplexity against length, aligned protocol",
            "Perplexity at multiples of T_tr, divided by the perplexity at T_tr",
            "Place of the largest changes, aligned protocol",
            "Models");
  }

  @Test
  void rejectsRowsOfAnotherResult() throws IOException {
    Path folder = root.resolve("t51");
    var line = ResultFile.EVALUATIONS.read(folder).get(0).value();
    NllFile.write(folder, Samples.aligned("t5", 1, 128, 9), Samples.scored(128, 9, 200, 1));
    assertThat(line.sums().mean()).isNotEqualTo(Math.log(9));
    assertThatThrownBy(this::statistics)
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("nll-t5-seed1");
  }
}
