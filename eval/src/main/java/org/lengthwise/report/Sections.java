package org.lengthwise.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lengthwise.report.Section.Block;
import org.lengthwise.report.Section.Figure;
import org.lengthwise.report.Section.Finding;
import org.lengthwise.report.Section.Folded;
import org.lengthwise.report.Section.Note;
import org.lengthwise.report.Section.Place;
import org.lengthwise.report.Section.Table;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.StatesResult;
import org.lengthwise.statistics.Estimate;

/**
 * The sections of a report in their order. This is the only list: the page, the table files, the
 * picture files and {@code report.json} are made from it. To add a table or a chart, add it here.
 */
final class Sections {
  private final ReportContent content;
  private final PaperTable paper = PaperTable.load();
  private final Looks looks;
  private final List<Section> sections = new ArrayList<>();

  private Sections(ReportContent content) {
    this.content = content;
    this.looks = new Looks(content.runs());
  }

  /** The sections that have content. */
  static List<Section> of(ReportContent content) {
    Sections all = new Sections(content);
    List<TableStatistics> tables = content.statistics();
    tables.forEach(all::findings);
    for (TableStatistics table : tables) {
      all.perplexities(table);
      all.baselines(table);
      all.changes(table);
      all.rises(table);
      all.differences(table);
    }
    tables.forEach(all::positions);
    all.accuracies();
    all.states();
    all.receptiveFields();
    all.training();
    all.runs();
    return all.sections.stream().filter(section -> !section.blocks().isEmpty()).toList();
  }

  private void add(String heading, List<Block> blocks) {
    sections.add(new Section(heading, blocks));
  }

  /** A heading that names the protocol where the report has several. */
  private String under(String heading, TableStatistics table) {
    return content.statistics().size() == 1
        ? heading
        : heading + ", " + table.table().protocol().label() + " protocol";
  }

  private StatisticsTables tables(TableStatistics table) {
    return new StatisticsTables(table, content.config());
  }

  private StatisticsCharts charts(TableStatistics table) {
    return new StatisticsCharts(table, looks, content.config().bootstrap().confidence());
  }

  /** The verdicts in words. */
  private void findings(TableStatistics table) {
    if (table.verdicts().isEmpty()) {
      return;
    }
    List<Finding> findings = new ArrayList<>();
    table
        .verdicts()
        .forEach(
            (run, verdict) -> {
              Map.Entry<Integer, Estimate> longest = table.longestChange(run);
              findings.add(new Finding(run, verdict, longest.getKey(), longest.getValue()));
            });
    List<Block> blocks = new ArrayList<>(List.of(new Section.Findings(findings)));
    warning(table).ifPresent(sentence -> blocks.add(new Note(sentence, true)));
    baseline(table).sentences().forEach(sentence -> blocks.add(new Note(sentence)));
    tables(table).verdictCaption().forEach(sentence -> blocks.add(new Note(sentence)));
    add(under("What was found", table), blocks);
  }

  /** The first table is followed by the paper's numbers, unless it contains them. */
  private void perplexities(TableStatistics table) {
    TableText perplexities = StatisticsTables.perplexities(table, paper);
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Figure(charts(table).perplexities(), true));
    blocks.add(new Table(warned(perplexities, table), Place.FILES));
    blocks.add(new Table(perplexities.transposed(), Place.PAGE));
    warning(table).ifPresent(sentence -> blocks.add(new Note(sentence, true)));
    if (table.equals(content.statistics().get(0)) && !perplexities.hasPaper()) {
      blocks.add(
          new Folded(
              "The paper's Table 3, for comparison",
              "",
              false,
              true,
              List.of(new Table(paper.text().transposed(), Place.PAGE))));
    }
    PaperRatioTable.of(table.table(), content, paper)
        .ifPresent(ratios -> blocks.add(new Table(ratios, Place.BOTH)));
    add(under("Perplexity against length", table), blocks);
  }

  /** Names the runs whose positional table could hardly be learned. */
  private Optional<String> warning(TableStatistics table) {
    List<String> runs = table.table().runs().stream().map(Column::run).toList();
    return TrainedRun.warning(
        content.trained().stream().filter(run -> runs.contains(run.run())).toList());
  }

  private TableText warned(TableText text, TableStatistics table) {
    return warning(table).map(text::with).orElse(text);
  }

  private void baselines(TableStatistics table) {
    List<Block> blocks = new ArrayList<>();
    baseline(table).text().ifPresent(text -> blocks.add(new Table(text, Place.BOTH)));
    add(under("Against n-gram baselines", table), blocks);
  }

  private BaselineTable baseline(TableStatistics table) {
    return new BaselineTable(table, content.comparison());
  }

  private void changes(TableStatistics table) {
    List<Block> blocks = new ArrayList<>();
    if (!table.verdicts().isEmpty()) {
      blocks.add(new Table(warned(tables(table).verdicts(), table), Place.FILES));
      blocks.add(new Figure(charts(table).changes(content.config().verdict()), true));
      blocks.add(new Table(tables(table).changes(), Place.BOTH));
    }
    if (!table.lengthChanges().isEmpty()) {
      blocks.add(new Table(tables(table).lengthChanges(), Place.BOTH));
    }
    add(under("Change since the training length", table), blocks);
  }

  private void rises(TableStatistics table) {
    List<Block> blocks = new ArrayList<>();
    RisePlaceTable.of(table.table(), content)
        .ifPresent(text -> blocks.add(new Table(text, Place.BOTH)));
    add(under("Place of the rises", table), blocks);
  }

  /** The differences at all lengths, the longest first. The files have only the longest length. */
  private void differences(TableStatistics table) {
    List<Block> blocks = new ArrayList<>();
    for (int length : table.table().lengths()) {
      if (!table.differencesAt(length).isEmpty()) {
        boolean longest = length == table.longest();
        Table differences =
            new Table(tables(table).differencesAt(length), longest ? Place.BOTH : Place.PAGE);
        blocks.add(
            0,
            new Folded(
                "at T_ex = " + Numbers.count(length), "", longest, longest, List.of(differences)));
      }
    }
    add(under("Differences between runs", table), blocks);
  }

  private void positions(TableStatistics table) {
    if (!table.byPosition().isEmpty()) {
      add(
          under("Loss by position", table),
          List.of(
              new Figure(charts(table).positions(), true),
              new Note(
                  "Mean negative log-likelihood by the number of tokens that the model read before"
                      + " the"
                      + " target, at T_ex = %s, with its interval."
                          .formatted(Numbers.count(table.longest())))));
    }
  }

  private void accuracies() {
    List<AccuracyMean> means = content.accuracies();
    if (means.isEmpty()) {
      return;
    }
    double confidence = content.config().bootstrap().confidence();
    List<Block> blocks = new ArrayList<>();
    AccuracyChart.of(means, looks, confidence)
        .forEach(chart -> blocks.add(new Figure(chart, true)));
    StringTables tables = new StringTables(content);
    tables.first().ifPresent(table -> blocks.add(0, new Table(table, Place.BOTH)));
    tables.second().ifPresent(table -> blocks.add(new Table(table, Place.BOTH)));
    AccuracyTable.ofAll(means, confidence)
        .forEach(table -> blocks.add(new Table(table, Place.BOTH)));
    add("Accuracy", blocks);
  }

  private void states() {
    List<StatesResult> states = content.states();
    if (states.isEmpty()) {
      return;
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Note(
            "The outputs of RegularGPT for all windows of one string, with one colour for each"
                + " level. If a model computes an automaton, outputs of equal maps form one cluster"
                + " at all levels."));
    StatesChart.of(states, ModelState.TRAINED)
        .forEach(chart -> blocks.add(new Figure(chart, true)));
    List<Block> untrained =
        StatesChart.of(states, ModelState.UNTRAINED).stream()
            .<Block>map(chart -> new Figure(chart, false))
            .toList();
    blocks.add(new Folded("The same models before training", "", false, false, untrained));
    blocks.add(new Table(StatesTable.of(states), Place.BOTH));
    add("States", blocks);
  }

  private void receptiveFields() {
    List<ReceptiveFieldMean> means = ReceptiveFieldMean.of(content.receptiveFields());
    if (means.isEmpty()) {
      return;
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Note(
            "The share of the last position's gradient that comes from each number of most recent"
                + " tokens. A straight slanted line means that all positions matter. A curve that"
                + " rises only at the right end means that only recent tokens matter. Markers: 50,"
                + " 90 and 99 %. Dashed: the model before training. Vertical: the farthest token"
                + " that the scheme can reach, if it is not the first."));
    if (means.stream().anyMatch(mean -> mean.task().isPresent())) {
      blocks.add(
          new Note(
              "Strings: the gradient of the loss of the label. RegularGPT's tree spreads gradients"
                  + " over all symbols before any training. So its curve shows that every symbol is"
                  + " within reach, not that a task is learned."));
    }
    ReceptiveFieldCharts.ofLengths(means, looks)
        .forEach(chart -> blocks.add(new Figure(chart, true)));
    blocks.addAll(receptiveFieldsOfRuns(means));
    ReceptiveFieldTable.of(content.receptiveFields())
        .forEach(table -> blocks.add(new Table(table, Place.BOTH)));
    ReceptiveFieldTable.tenths(content.receptiveFields())
        .forEach(table -> blocks.add(new Table(table, Place.BOTH)));
    add("Receptive fields", blocks);
  }

  /** One run at several lengths. Pictures of all runs would add 1 MB to the page. */
  private static List<Block> receptiveFieldsOfRuns(List<ReceptiveFieldMean> means) {
    List<Block> blocks = new ArrayList<>();
    means.stream()
        .collect(
            Collectors.groupingBy(ReceptiveFieldMean::run, LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .filter(ofRun -> ofRun.size() > 1)
        .forEach(ofRun -> blocks.add(receptiveFieldOfRun(ofRun)));
    if (!blocks.isEmpty()) {
      blocks.add(
          0,
          new Note(
              "One scheme at several lengths. If the curves coincide, the receptive field does not"
                  + " grow with the length. Readers without scripts find these charts in the files"
                  + " receptive-field-of-*."));
    }
    return blocks;
  }

  private static Folded receptiveFieldOfRun(List<ReceptiveFieldMean> ofRun) {
    String run = ofRun.get(0).run();
    String lengths =
        ofRun.stream()
            .map(mean -> Numbers.count(mean.length()))
            .collect(Collectors.joining(" and "));
    return new Folded(
        "%s at %s tokens".formatted(RunName.heading(run), lengths),
        run,
        false,
        true,
        List.of(new Figure(ReceptiveFieldCharts.ofRun(ofRun), false)));
  }

  private void training() {
    if (!content.trained().isEmpty()) {
      add(
          "Training",
          List.of(
              new Note(
                  "Lines: the running mean of the training loss, for each seed. Markers: validation"
                      + " loss."),
              new Figure(LossChart.ofReport(content.trained(), looks), true),
              new Table(ModelTable.ofTraining(content.trained()), Place.PAGE)));
    }
  }

  private void runs() {
    List<Block> blocks = new ArrayList<>();
    if (!content.comparison().results().isEmpty()) {
      blocks.add(new Table(ModelTable.of(content.comparison().results()), Place.BOTH));
    }
    content.trained().stream()
        .flatMap(run -> run.formula().stream())
        .distinct()
        .forEach(formula -> blocks.add(new Note(formula, false)));
    content.trained().forEach(run -> blocks.add(new Section.Origin(run)));
    add("Runs", blocks);
  }
}
