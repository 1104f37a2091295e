package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.report.perplexity.TableStatistics.Difference;
import org.lengthwise.report.perplexity.TableStatistics.LengthChange;
import org.lengthwise.statistics.Bootstrap;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.Verdict;
import org.lengthwise.statistics.WordRule.Word;

/** Verdicts, changes, length changes and paired differences as tables. */
final class StatisticsTables {
  private final TableStatistics statistics;
  private final PerplexityRules rules;

  StatisticsTables(TableStatistics statistics, PerplexityRules rules) {
    this.statistics = statistics;
    this.rules = rules;
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
                + ". A verdict needs the individual values of the same target tokens at T_tr and at longer"
                + " lengths, as in the aligned protocol.");
  }

  /** The verdicts with the change at the longest length. */
  TableText verdicts() {
    return new TableText(
        "Beyond the training length, " + protocol(),
        List.of("run", "verdict", "T_ex", "change in nats", "perplexity", "tokens", "seeds"),
        statistics.verdicts().entrySet().stream().map(this::verdict).toList(),
        List.of(),
        verdictCaption(),
        "llrrrrr");
  }

  private List<Entry> verdict(Map.Entry<Column, Verdict> verdict) {
    Map.Entry<Integer, Estimate> longest = statistics.longestChange(verdict.getKey());
    Estimate change = longest.getValue();
    return TableText.line(
        verdict.getKey().heading(),
        Entry.of(verdict.getValue().words()),
        Entry.of(Integer.toString(longest.getKey())),
        Entry.of(change),
        Entry.of(PerplexityNumbers.ratio(change)),
        Entry.of(PerplexityNumbers.tokens(change)),
        Entry.of(Integer.toString(change.numSeeds())));
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

  /** The changes since the training length by run and length. */
  TableText changes() {
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
            "Mean over target tokens and seeds: the negative log-likelihood at T_ex minus that of the"
                + " same token at T_tr."),
        "l" + "r".repeat(lengths.size()));
  }

  private List<Entry> changes(Column column, List<Integer> lengths) {
    return TableText.line(
        column.heading(),
        lengths.stream()
            .map(length -> statistics.changesOf(column).get(length))
            .map(change -> change == null ? Entry.of(Numbers.MISSING) : Entry.of(change))
            .toArray(Entry[]::new));
  }

  /** The change from each measured length to the next longer one, a row each. */
  TableText lengthChanges() {
    return new TableText(
        "Changes between neighbouring lengths, " + protocol(),
        List.of("run", "T_ex", "change in nats", "", "perplexity", "tokens", "seeds"),
        lengthChangeRows(),
        List.of(),
        List.of(
            "Mean over target tokens and seeds: the negative log-likelihood at the longer length minus"
                + " that of the same token at the shorter length."
                + corrected(Entry.NO_CHANGE)),
        "llrlrrr");
  }

  /** How the words of one table are chosen. */
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

  private List<List<Entry>> lengthChangeRows() {
    List<LengthChange> changes = statistics.lengthChanges();
    List<Word> words = words(changes.stream().map(LengthChange::nll).toList());
    return IntStream.range(0, changes.size())
        .mapToObj(i -> lengthChange(changes.get(i), words.get(i)))
        .toList();
  }

  private static List<Entry> lengthChange(LengthChange change, Word word) {
    Estimate nll = change.nll();
    return TableText.line(
        change.run().heading(),
        Entry.of("%s to %s".formatted(change.from(), change.to())),
        Entry.of(nll),
        Entry.of(
            switch (word) {
              case HIGHER -> "rises";
              case LOWER -> "falls";
              case DOES_NOT_MATTER -> Entry.NO_CHANGE;
              case NOT_DISTINGUISHABLE -> Entry.NOT_DISTINGUISHABLE;
            }),
        Entry.of(PerplexityNumbers.ratio(nll)),
        Entry.of(PerplexityNumbers.tokens(nll)),
        Entry.of(Integer.toString(nll.numSeeds())));
  }

  /** The differences between runs at one length. */
  TableText differencesAt(int length) {
    return new TableText(
        "Paired differences at T_ex = %s, %s".formatted(length, protocol()),
        List.of("first", "second", "first minus second in nats", "", "tokens", "seeds"),
        differenceRows(length),
        List.of(),
        List.of(
            "Mean over target tokens and seeds: the difference of the negative log-likelihoods of the"
                + " same token and seed."
                + corrected(Entry.NO_DIFFERENCE)
                + units()),
        "llrlrr");
  }

  private List<List<Entry>> differenceRows(int length) {
    List<Difference> differences = statistics.differencesAt(length);
    List<String> words = differenceWords(length);
    return IntStream.range(0, differences.size())
        .mapToObj(i -> difference(differences.get(i), words.get(i)))
        .toList();
  }

  private static List<Entry> difference(Difference difference, String words) {
    return TableText.line(
        difference.first().heading(),
        Entry.of(difference.second().heading()),
        Entry.of(difference.nll()),
        Entry.of(words),
        Entry.of(PerplexityNumbers.tokens(difference.nll())),
        Entry.of(Integer.toString(difference.nll().numSeeds())));
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
