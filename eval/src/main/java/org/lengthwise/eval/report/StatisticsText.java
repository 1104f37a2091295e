package org.lengthwise.eval.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.eval.statistics.Bootstrap;
import org.lengthwise.eval.statistics.Estimate;
import org.lengthwise.eval.statistics.Verdict;

/** Verdicts, changes, steps and paired differences as tables. */
final class StatisticsText {
  /** What stands where an interval has zero inside. */
  static final String NOT_DISTINGUISHABLE = "not distinguishable";

  private final TableStatistics statistics;
  private final ReportConfig config;

  private StatisticsText(TableStatistics statistics, ReportConfig config) {
    this.statistics = statistics;
    this.config = config;
  }

  /** The table of perplexities, with a sentence on runs that have no verdict. */
  static TableText perplexities(TableStatistics statistics, PaperTable paper) {
    TableText table = TableText.of(statistics.table(), paper);
    List<String> missing =
        statistics.table().columns().stream()
            .filter(column -> statistics.verdict(column).isEmpty())
            .map(Column::heading)
            .toList();
    return missing.isEmpty()
        ? table
        : table.with(
            "No verdict on "
                + String.join(", ", missing)
                + ": it takes individual values of the same target tokens at T_tr and beyond, as the protocol"
                + " aligned has them.");
  }

  /**
   * Verdicts, changes and steps, then the differences at the longest length; what is empty is left
   * out.
   */
  static List<TableText> of(TableStatistics statistics, ReportConfig config) {
    StatisticsText text = new StatisticsText(statistics, config);
    List<TableText> tables = new ArrayList<>();
    if (!statistics.verdicts().isEmpty()) {
      tables.add(text.verdicts());
      tables.add(text.changes());
    }
    if (!statistics.steps().isEmpty()) {
      tables.add(StepTable.of(statistics));
    }
    if (!statistics.differencesAt(statistics.longest()).isEmpty()) {
      tables.add(text.differencesAt(statistics.longest()));
    }
    return tables;
  }

  /** Verdicts alone. */
  static TableText verdicts(TableStatistics statistics, ReportConfig config) {
    return new StatisticsText(statistics, config).verdicts();
  }

  /** Changes alone. */
  static TableText changes(TableStatistics statistics, ReportConfig config) {
    return new StatisticsText(statistics, config).changes();
  }

  /** Differences at one length. */
  static TableText differences(TableStatistics statistics, ReportConfig config, int length) {
    return new StatisticsText(statistics, config).differencesAt(length);
  }

  private TableText verdicts() {
    return new TableText(
        "Beyond the training length, " + protocol(),
        List.of("run", "verdict", "T_ex", "change in nats", "perplexity", "tokens", "seeds"),
        statistics.verdicts().entrySet().stream().map(this::verdict).toList(),
        List.of(),
        verdictCaption(),
        "llrrrrr");
  }

  private List<TableText.Entry> verdict(Map.Entry<Column, Verdict> verdict) {
    Map.Entry<Integer, Estimate> longest = statistics.longestChange(verdict.getKey());
    Estimate change = longest.getValue();
    return TableText.line(
        verdict.getKey().heading(),
        List.of(
            verdict.getValue().words(),
            Integer.toString(longest.getKey()),
            Numbers.estimate(change),
            Numbers.ratio(Math.exp(change.mean())),
            Numbers.tokens(change),
            Integer.toString(change.numSeeds())));
  }

  private List<String> verdictCaption() {
    List<String> caption = new ArrayList<>();
    caption.add(
        "By the paired change of the mean negative log-likelihood since T_tr, on the same target"
            + " tokens: a scheme extrapolates where the whole interval stays within a perplexity of"
            + " %s times that at T_tr, degrades where all of it lies above, explodes where all of it"
                .formatted(plain(config.verdict().toleratedRatio()))
            + " is at least %s times; otherwise the length is not settled."
                .formatted(plain(config.verdict().explosiveRatio())));
    caption.add(intervals());
    return caption;
  }

  private String intervals() {
    Bootstrap bootstrap = config.bootstrap();
    String seeds =
        statistics.means().values().stream()
                .flatMap(byLength -> byLength.values().stream())
                .allMatch(estimate -> estimate.numSeeds() == 1)
            ? " There is one seed: nothing is said about another training run."
            : " Runs of a single seed have intervals over tokens only.";
    return "In brackets the %s %% interval, a bootstrap over target tokens (%s resamples, percentiles)"
            .formatted(plain(100 * bootstrap.confidence()), Numbers.count(bootstrap.resamples()))
        + " with Student's t over seeds, and for few tokens."
        + seeds
        + units();
  }

  /** What the column of tokens says where neighbours were scored. */
  private String units() {
    boolean alone =
        statistics.means().values().stream()
            .flatMap(byLength -> byLength.values().stream())
            .allMatch(mean -> mean.numUnits() == mean.numTokens());
    return alone
        ? ""
        : " Beside the tokens stands in how many units they were resampled: whole windows, those"
            + " that end in one stretch as long as the longest of them together.";
  }

  private TableText changes() {
    List<Column> columns = List.copyOf(statistics.verdicts().keySet());
    List<Integer> lengths =
        columns.stream()
            .flatMap(column -> statistics.changesOf(column).keySet().stream())
            .distinct()
            .sorted()
            .toList();
    List<String> header = new ArrayList<>(List.of("run"));
    lengths.forEach(length -> header.add("T_ex = " + length));
    return new TableText(
        "Paired change in nats since the training length, " + protocol(),
        header,
        columns.stream().map(column -> changes(column, lengths)).toList(),
        List.of(),
        List.of(
            "Mean over target tokens and seeds of the negative log-likelihood at T_ex minus that of"
                + " the same token at T_tr."),
        "l" + "r".repeat(lengths.size()));
  }

  private List<TableText.Entry> changes(Column column, List<Integer> lengths) {
    return TableText.line(
        column.heading(),
        lengths.stream()
            .map(length -> statistics.changesOf(column).get(length))
            .map(change -> change == null ? Numbers.MISSING : Numbers.estimate(change))
            .toList());
  }

  private TableText differencesAt(int length) {
    return new TableText(
        "Paired differences at T_ex = %d, %s".formatted(length, protocol()),
        List.of("first", "second", "first minus second in nats", "", "tokens", "seeds"),
        statistics.differencesAt(length).stream().map(StatisticsText::difference).toList(),
        List.of(),
        List.of(
            "Differences of the mean negative log-likelihood, token by token and seed by seed; where"
                + " the interval has zero inside, the two are not distinguishable here. Each interval"
                + " stands for itself: among many, some miss."
                + units()),
        "llrlrr");
  }

  private static List<TableText.Entry> difference(Difference difference) {
    return TableText.line(
        difference.first().heading(),
        List.of(
            difference.second().heading(),
            Numbers.estimate(difference.nll()),
            words(difference),
            Numbers.tokens(difference.nll()),
            Integer.toString(difference.nll().numSeeds())));
  }

  /** Which of the two is better, if that can be said. */
  static String words(Difference difference) {
    if (!difference.nll().isDistinguishable()) {
      return NOT_DISTINGUISHABLE;
    }
    Column better = difference.nll().mean() < 0 ? difference.first() : difference.second();
    return better.heading() + " is better";
  }

  private String protocol() {
    return statistics.table().protocol().label() + " protocol";
  }

  /** Without trailing zeros. */
  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
