package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.report.perplexity.TableStatistics.Difference;
import org.lengthwise.report.perplexity.TableStatistics.LengthChange;
import org.lengthwise.statistics.Bootstrap;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.PowerRule;
import org.lengthwise.statistics.Verdict;
import org.lengthwise.statistics.WordRule.Word;

/** Verdicts, changes, length changes and paired differences as tables. */
final class StatisticsTables {
  private final TableStatistics statistics;
  private final PerplexityRules rules;
  private final boolean hasStages;

  StatisticsTables(TableStatistics statistics, PerplexityRules rules) {
    this(statistics, rules, false);
  }

  /** The same, also if runs start from others. */
  StatisticsTables(TableStatistics statistics, PerplexityRules rules, boolean hasStages) {
    this.statistics = statistics;
    this.rules = rules;
    this.hasStages = hasStages;
  }

  /** The table of perplexities, with a sentence on runs that have no verdict. */
  static TableText perplexities(TableStatistics statistics, PaperTable paper) {
    TableText table = statistics.table().text(paper);
    List<String> missing =
        statistics.table().runs().stream()
            .filter(column -> statistics.verdict(column).isEmpty())
            .map(Column::heading)
            .toList();
    return missing.isEmpty()
        ? table
        : table.with(
            "No verdict on "
                + String.join(", ", missing)
                + ". A verdict needs the individual values of the same target tokens at T_tr and at"
                + " longer lengths, as in the aligned protocol.");
  }

  TableText verdicts() {
    return estimates(
            new Columns<Map.Entry<Column, Verdict>>()
                .words("run", of -> of.getKey().heading())
                .words("verdict", of -> of.getValue().words())
                .number("T_ex", of -> statistics.longestChange(of.getKey()).getKey())
                .number("change in nats", of -> Entry.of(change(of)))
                .number("perplexity", of -> PerplexityNumbers.ratio(change(of))),
            this::change)
        .of(
            "Beyond the training length, " + protocol(),
            List.copyOf(statistics.verdicts().entrySet()),
            verdictCaption());
  }

  private Estimate change(Map.Entry<Column, Verdict> verdict) {
    return statistics.longestChange(verdict.getKey()).getValue();
  }

  private static <T> Columns<T> estimates(Columns<T> columns, Function<T, Estimate> nll) {
    return columns
        .number("tokens", of -> PerplexityNumbers.tokens(nll.apply(of)))
        .number("seeds", of -> nll.apply(of).numSeeds());
  }

  /** The rule of the verdicts, and how intervals are computed. */
  List<String> verdictCaption() {
    List<String> caption = new ArrayList<>();
    caption.add(
        "The interval of the paired change decides: the mean negative log-likelihood minus that at T_tr,"
            + " on the same target tokens. A scheme extrapolates if the perplexity at the upper end of"
            + " the interval is at most %s times that at T_tr. It degrades if the lower end is above this"
                .formatted(PerplexityNumbers.plain(rules.verdict().toleratedRatio()))
            + " limit, and explodes if the lower end is at least %s times that at T_tr. Otherwise the"
                .formatted(PerplexityNumbers.plain(rules.verdict().explosiveRatio()))
            + " length is not settled.");
    if (hasStages) {
      caption.add(
          "T_tr of a run that starts from another one is the longer of its training lengths.");
    }
    caption.add(intervals());
    return caption;
  }

  private String intervals() {
    Bootstrap bootstrap = rules.bootstrap();
    String seeds =
        statistics.means().values().stream()
                .flatMap(byLength -> byLength.values().stream())
                .allMatch(estimate -> estimate.numSeeds() == 1)
            ? " There is one seed, so the intervals say nothing about other training runs."
            : " Intervals of runs with a single seed are over tokens only.";
    return "In brackets: the %s %% interval, from a percentile bootstrap over target tokens (%s resamples)"
            .formatted(
                PerplexityNumbers.plain(100 * bootstrap.confidence()),
                Numbers.count(bootstrap.resamples()))
        + " and Student's t over seeds. With few tokens the interval is wider."
        + seeds
        + units();
  }

  /** The meaning of the column of tokens if several tokens per window were scored. */
  private String units() {
    boolean alone =
        statistics.means().values().stream()
            .flatMap(byLength -> byLength.values().stream())
            .allMatch(mean -> mean.numUnits() == mean.numTokens());
    return alone
        ? ""
        : " \"300 in 20\" means 300 tokens in 20 independent groups of windows. Groups are"
            + " resampled as a whole.";
  }

  TableText changes() {
    List<Column> columns = List.copyOf(statistics.verdicts().keySet());
    List<Integer> lengths =
        columns.stream()
            .flatMap(column -> statistics.changesOf(column).keySet().stream())
            .distinct()
            .sorted()
            .toList();
    Columns<Column> table = new Columns<Column>().words("run", Column::heading);
    for (int length : lengths) {
      table.number(
          "T_ex = " + length, run -> Entry.orMissing(statistics.changesOf(run).get(length)));
    }
    return table.of(
        "Paired change in nats since the training length, " + protocol(),
        columns,
        List.of(
            "Mean over target tokens and seeds: the negative log-likelihood at T_ex minus that of"
                + " the same token at T_tr."));
  }

  TableText lengthChanges() {
    List<LengthChange> changes = statistics.lengthChanges();
    List<Word> words = words(changes.stream().map(LengthChange::nll).toList());
    return estimates(
            new Columns<Integer>()
                .words("run", i -> changes.get(i).run().heading())
                .words("T_ex", i -> changes.get(i).from() + " to " + changes.get(i).to())
                .number("change in nats", i -> Entry.of(changes.get(i).nll()))
                .words(
                    "",
                    i ->
                        switch (words.get(i)) {
                          case HIGHER -> "rises";
                          case LOWER -> "falls";
                          case DOES_NOT_MATTER -> Entry.NO_CHANGE;
                          case NOT_DISTINGUISHABLE -> Entry.NOT_DISTINGUISHABLE;
                        })
                .number("perplexity", i -> PerplexityNumbers.ratio(changes.get(i).nll())),
            i -> changes.get(i).nll())
        .of(
            "Changes between neighbouring lengths, " + protocol(),
            IntStream.range(0, changes.size()).boxed().toList(),
            List.of(
                "Mean over target tokens and seeds: the negative log-likelihood at the longer"
                    + " length minus that of the same token at the shorter length."
                    + corrected(Entry.NO_CHANGE)));
  }

  private String corrected(String small) {
    return " Words are corrected for the number of rows of this table (Holm): the probability of any"
        + " wrong word is at most %s %%."
            .formatted(
                PerplexityNumbers.plain(
                    Math.rint(1e4 * (1 - rules.bootstrap().confidence())) / 100))
        + " Intervals are not corrected, so a row can be not distinguishable although its interval"
        + " excludes zero. A ratio of perplexities below %s is %s."
            .formatted(PerplexityNumbers.plain(rules.words().smallestRatio()), small);
  }

  private List<Word> words(List<Estimate> family) {
    return rules.words().of(family, rules.bootstrap().confidence());
  }

  TableText differencesAt(int length) {
    List<Difference> pairs = statistics.differencesAt(length);
    List<String> words = differenceWords(length);
    return estimates(
            new Columns<Integer>()
                .words("first", i -> pairs.get(i).first().heading())
                .words("second", i -> pairs.get(i).second().heading())
                .number("first minus second in nats", i -> Entry.of(pairs.get(i).nll()))
                .words("", words::get),
            i -> pairs.get(i).nll())
        .of(
            "Paired differences at T_ex = %s, %s".formatted(length, protocol()),
            IntStream.range(0, pairs.size()).boxed().toList(),
            List.of(
                "Mean over target tokens and seeds: the difference of the negative log-likelihoods"
                    + " of the same token and seed."
                    + corrected(Entry.NO_DIFFERENCE)
                    + units()));
  }

  /** How small a difference of two runs at a length shows, and what a given ratio needs. */
  TableText powerAt(int length) {
    PowerRule rule = rules.power();
    double confidence = rules.bootstrap().confidence();
    String ratio = PerplexityNumbers.plain(rule.ratio());
    return estimates(
            new Columns<Difference>()
                .words("first", pair -> pair.first().heading())
                .words("second", pair -> pair.second().heading())
                .number(
                    "smallest ratio",
                    pair -> Numbers.of("%.3f", rule.smallestRatio(pair.nll(), confidence)))
                .number(
                    "tokens for " + ratio,
                    pair ->
                        rule.targets(pair.nll(), confidence).stream()
                            .mapToObj(n -> Numbers.count(n))
                            .findFirst()
                            .orElse(Numbers.MISSING))
                .number(
                    "seeds for " + ratio,
                    pair ->
                        rule.seeds(pair.nll(), confidence).stream()
                            .mapToObj(n -> Numbers.count(n))
                            .findFirst()
                            .orElse(Numbers.MISSING)),
            Difference::nll)
        .of(
            "What tells two runs apart at T_ex = %s, %s".formatted(length, protocol()),
            statistics.differencesAt(length),
            List.of(
                ("A true ratio of two perplexities that is at least the smallest ratio has an"
                        + " interval without zero with a probability of about %s. The next columns"
                        + " say how many tokens with these seeds, or how many seeds with these"
                        + " tokens, show a ratio of %s so; %s: no number does, or one seed was"
                        + " measured. Words need more, because they are corrected.")
                    .formatted(
                        PerplexityNumbers.plain(rule.probability()), ratio, Numbers.MISSING)));
  }

  /** For each difference at a length the better run, if the two are distinguishable. */
  List<String> differenceWords(int length) {
    List<Difference> differences = statistics.differencesAt(length);
    List<Word> words = words(differences.stream().map(Difference::nll).toList());
    return IntStream.range(0, differences.size())
        .mapToObj(
            i ->
                switch (words.get(i)) {
                  case LOWER -> isBetter(differences.get(i).first());
                  case HIGHER -> isBetter(differences.get(i).second());
                  case DOES_NOT_MATTER -> Entry.NO_DIFFERENCE;
                  case NOT_DISTINGUISHABLE -> Entry.NOT_DISTINGUISHABLE;
                })
        .toList();
  }

  private static String isBetter(Column run) {
    return run.heading() + " is better";
  }

  private String protocol() {
    return statistics.table().protocol().label() + " protocol";
  }
}
