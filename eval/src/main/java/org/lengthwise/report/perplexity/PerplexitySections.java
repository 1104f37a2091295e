package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Finding;
import org.lengthwise.report.form.Section.Folded;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.statistics.Estimate;

/** The sections on one table of perplexities. A section without content has no blocks. */
final class PerplexitySections {
  private final PerplexityPart part;
  private final TableStatistics statistics;
  private final PerplexityTable table;
  private final StatisticsTables tables;
  private final StatisticsCharts charts;
  private final BaselineTable baseline;

  /** Names the runs whose positional table could hardly be learned. */
  private final Optional<String> warning;

  PerplexitySections(PerplexityPart part, TableStatistics statistics, Looks looks) {
    this.part = part;
    this.statistics = statistics;
    this.table = statistics.table();
    boolean hasStages =
        part.trained().stream()
            .anyMatch(run -> run.source().isPresent() && isIn(run.run(), statistics.table()));
    this.tables = new StatisticsTables(statistics, part.rules(), hasStages);
    this.charts = new StatisticsCharts(statistics, looks, part.rules().bootstrap().confidence());
    this.baseline = new BaselineTable(statistics, part.results());
    List<String> runs = table.runs().stream().map(Column::run).toList();
    this.warning =
        TrainedRun.warning(
            part.trained().stream().filter(run -> runs.contains(run.run())).toList());
  }

  private static boolean isIn(String run, PerplexityTable table) {
    return table.runs().stream().anyMatch(column -> column.run().equals(run));
  }

  /** A section whose heading names the protocol where the report has several. */
  private Section section(String heading, List<Block> blocks) {
    return new Section(
        part.statistics().size() == 1
            ? heading
            : heading + ", " + table.protocol().label() + " protocol",
        blocks);
  }

  Section findings() {
    List<Block> blocks = new ArrayList<>();
    if (!statistics.verdicts().isEmpty()) {
      blocks.add(
          new Section.Findings(
              statistics.verdicts().entrySet().stream()
                  .map(
                      verdict ->
                          new Finding(
                              verdict.getKey().run(), verdict.getValue(), change(verdict.getKey())))
                  .toList()));
      warning.ifPresent(sentence -> blocks.add(new Note(sentence, true)));
      baseline.sentences().forEach(sentence -> blocks.add(new Note(sentence)));
      tables.verdictCaption().forEach(sentence -> blocks.add(new Note(sentence)));
    }
    return section("What was found", blocks);
  }

  private String change(Column run) {
    Map.Entry<Integer, Estimate> longest = statistics.longestChange(run);
    return "at %s: perplexity %s, %s nats"
        .formatted(
            Numbers.count(longest.getKey()),
            PerplexityNumbers.ratio(longest.getValue()),
            TableText.Entry.of(longest.getValue()).spelled());
  }

  Stream<Section> details() {
    return Stream.of(perplexities(), baselines(), changes(), rises(), differences());
  }

  /** The first table is followed by the paper's numbers, unless it contains them. */
  private Section perplexities() {
    PaperTable paper = PaperTable.load();
    TableText perplexities = StatisticsTables.perplexities(statistics, paper);
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Figure(charts.perplexities(), true));
    blocks.add(new Table(warned(perplexities), Place.FILES));
    blocks.add(new Table(perplexities.transposed(), Place.PAGE));
    warning.ifPresent(sentence -> blocks.add(new Note(sentence, true)));
    BitsPerByteTable.of(table, part.results(), false).ifPresent(bits -> blocks.addAll(both(bits)));
    if (part.scores().scoresLastTokens(table.protocol())) {
      ContextTable.of(table, part.scores(), part.rules().context())
          .ifPresent(context -> blocks.addAll(both(context)));
    }
    DocumentEndTable.of(table, part.scores(), part.rules().documentEnd())
        .ifPresent(ends -> blocks.addAll(both(ends)));
    if (statistics.equals(part.statistics().get(0)) && !perplexities.hasPaper()) {
      blocks.add(
          new Folded(
              "The paper's Table 3, for comparison",
              "",
              false,
              true,
              List.of(new Table(paper.text().transposed(), Place.PAGE))));
    }
    PaperRatioTable.of(table, part.results(), part.rules().paperColumns(), paper)
        .ifPresent(ratios -> blocks.add(new Table(ratios, Place.BOTH)));
    return section("Perplexity against length", blocks);
  }

  static Section ofMixed(PerplexityTable table, List<EvaluationResult> results) {
    TableText bits = BitsPerByteTable.of(table, results, true).orElseThrow();
    return new Section(bits.title(), both(bits));
  }

  private static List<Block> both(TableText text) {
    return List.of(new Table(text, Place.FILES), new Table(text.transposed(), Place.PAGE));
  }

  private TableText warned(TableText text) {
    return warning.map(text::with).orElse(text);
  }

  private Section baselines() {
    List<Block> blocks = new ArrayList<>();
    baseline.text().ifPresent(text -> blocks.add(new Table(text, Place.BOTH)));
    return section("Against n-gram baselines", blocks);
  }

  private Section changes() {
    List<Block> blocks = new ArrayList<>();
    if (!statistics.verdicts().isEmpty()) {
      blocks.add(new Table(warned(tables.verdicts()), Place.FILES));
      blocks.add(new Figure(charts.changes(part.rules().verdict()), true));
      blocks.add(new Table(tables.changes(), Place.BOTH));
    }
    if (!statistics.lengthChanges().isEmpty()) {
      blocks.add(new Table(tables.lengthChanges(), Place.BOTH));
    }
    return section("Change since the training length", blocks);
  }

  private Section rises() {
    List<Block> blocks = new ArrayList<>();
    RisePlaceTable.of(table, part.results(), part.trained())
        .ifPresent(text -> blocks.add(new Table(text, Place.BOTH)));
    return section("Place of the rises", blocks);
  }

  /** The differences at all lengths, the longest first. The files have only the longest length. */
  private Section differences() {
    List<Block> blocks = new ArrayList<>();
    for (int length : table.lengths()) {
      if (!statistics.differencesAt(length).isEmpty()) {
        boolean longest = length == statistics.longest();
        Table differences =
            new Table(tables.differencesAt(length), longest ? Place.BOTH : Place.PAGE);
        List<Block> tables = new ArrayList<>(List.of(differences));
        if (longest) {
          tables.add(new Table(this.tables.powerAt(length), Place.BOTH));
        }
        blocks.add(
            0, new Folded("at T_ex = " + Numbers.count(length), "", longest, longest, tables));
      }
    }
    return section("Differences between runs", blocks);
  }

  Section positions() {
    List<Block> blocks = new ArrayList<>();
    if (!statistics.byPosition().isEmpty()) {
      blocks.add(new Figure(charts.positions(), true));
      blocks.add(
          new Note(
              "Mean negative log-likelihood by the number of tokens that the model read before the"
                  + " target, at T_ex = %s, with its interval."
                      .formatted(Numbers.count(statistics.longest()))));
    }
    return section("Loss by position", blocks);
  }
}
