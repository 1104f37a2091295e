package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.plot.Series;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.perplexity.TableStatistics.Difference;
import org.lengthwise.result.FinishedResults;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;

/** A baseline of perplexity 3, between a run of perplexity 5 and one of perplexity 2. */
class BaselineTableTest {
  private static final Column ALIBI = new Column("alibi", 128);
  private static final Column T5 = new Column("t5", 128);
  private static final Column BASELINE = new Column("kneser-ney-5-read", 128);

  private final Path root;

  BaselineTableTest(@TempDir Path root) {
    this.root = root;
  }

  @BeforeEach
  void measure() throws IOException {
    write("kneser-ney-5-read", 0, Map.of(128, 3.0, 256, 3.0));
    for (long seed = 1; seed <= 3; seed++) {
      write("alibi", seed, Map.of(128, 5.0, 256, 5.0));
      write("t5", seed, Map.of(128, 2.0, 256, 4.0));
    }
  }

  private void write(String run, long seed, Map<Integer, Double> perplexities) throws IOException {
    Samples.write(root.resolve(run + seed), run, seed, perplexities);
  }

  private PerplexityPart part() throws IOException {
    return PerplexityPart.of(
        FinishedResults.under(List.of(root)).of(ResultFile.EVALUATIONS),
        List.of(),
        TableStatisticsTest.RULES);
  }

  private static List<Section> sections(PerplexityPart part) {
    return part.sections(new Looks(part.runs().toList()));
  }

  @Test
  void everySeedOfARunIsComparedWithTheBaseline() throws IOException {
    TableStatistics statistics = part().statistics().get(0);

    assertThat(statistics.gaps()).hasSize(4);
    Difference gap = statistics.gaps().get(1);
    assertThat(List.of(gap.length(), gap.first(), gap.second()))
        .containsExactly(128, ALIBI, BASELINE);
    assertThat(gap.nll().mean()).isCloseTo(Math.log(5.0 / 3), within(1e-9));
    assertThat(gap.nll().numSeeds()).isEqualTo(3);
  }

  @Test
  void theTextSaysWhichRunsDoNotBeatTheBaselineAtTheirTrainingLength() throws IOException {
    PerplexityPart part = part();

    TableText table =
        new BaselineTable(part.statistics().get(0), part.results()).text().orElseThrow();

    assertThat(table.caption().get(0))
        .isEqualTo("At T_tr, these runs do not beat the baseline 5-gram, tokens read: ALiBi.");
    assertThat(MarkdownTable.of(List.of(table)))
        .contains(
            "| run | baseline | T_ex = 128 | T_ex = 256 |",
            "| ALiBi | 5-gram, tokens read | +0.511 [",
            "5-gram, tokens read counts runs/kneser-ney-5-read/0.");
    assertThat(sections(part).get(0).blocks()).contains(new Section.Note(table.caption().get(0)));
  }

  @Test
  void aBaselineThatEveryRunBeatsIsNamed() throws IOException {
    write("kneser-ney-2", 0, Map.of(128, 50.0, 256, 50.0));
    PerplexityPart part = part();

    assertThat(new BaselineTable(part.statistics().get(0), part.results()).sentences())
        .contains("At T_tr, every run beats the baseline 2-gram.");
  }

  @Test
  void aBaselineHasNoVerdictAndIsNotCountedInTheCorrectionOfWords() throws IOException {
    PerplexityPart part = part();
    TableStatistics statistics = part.statistics().get(0);

    assertThat(statistics.table().columns()).containsExactly(T5, ALIBI, BASELINE);
    assertThat(statistics.verdicts()).containsOnlyKeys(T5, ALIBI);
    assertThat(statistics.differences()).hasSize(2).noneMatch(d -> d.second().isBaseline());
    assertThat(statistics.lengthChanges()).hasSize(2).noneMatch(c -> c.run().isBaseline());
    assertThat(MarkdownTable.of(sections(part).stream().flatMap(Section::tables).toList()))
        .contains("| seeds | 3 | 3 | – |")
        .doesNotContain("No verdict on");
  }

  @Test
  void aBaselineIsALineWithoutIntervals() throws IOException {
    Series line =
        sections(part()).stream()
            .flatMap(Section::charts)
            .filter(chart -> chart.name().equals("perplexity-aligned"))
            .flatMap(chart -> chart.series().stream())
            .filter(series -> series.label().run().equals("kneser-ney-5-read"))
            .findFirst()
            .orElseThrow();

    assertThat(line.style()).isEqualTo(Series.Style.PALE);
    assertThat(line.points()).extracting(Series.Point::low).containsOnly(Double.NaN);
    assertThat(line.points()).allSatisfy(p -> assertThat(p.y()).isCloseTo(3, within(1e-9)));
  }
}
