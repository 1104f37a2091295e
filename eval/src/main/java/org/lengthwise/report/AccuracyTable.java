package org.lengthwise.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/** The accuracy of runs on strings: a table, and a CSV file with all numbers of all seeds. */
final class AccuracyTable {
  private static final String CSV_HEADER =
      "run,scheme,seed,task,negatives,p,length,count,errors,accuracy,low,high,constant,rule,rule_accuracy";

  private static final List<String> HEADER =
      List.of(
          "run",
          "task",
          "strings",
          "lengths",
          "seeds",
          "accuracy in %",
          "best seed",
          "errors",
          "constant answer",
          "best rule");

  private AccuracyTable() {}

  /** A row for each run, task, draw and range of lengths: up to T_tr, and beyond. */
  static TableText of(List<AccuracyMean> means, double confidence) {
    return new TableText(
        "Accuracy on strings",
        HEADER,
        means.stream()
            .flatMap(mean -> mean.ranges().stream())
            .map(range -> row(range, confidence))
            .toList(),
        List.of(),
        caption(means, confidence),
        "llllrrrrrl");
  }

  private static List<Entry> row(AccuracyMean range, double confidence) {
    Proportion right = range.right();
    List<Entry> cells = new ArrayList<>();
    cells.add(Entry.of(range.task()));
    cells.add(Entry.of(range.draw().label()));
    cells.add(Entry.of(lengths(range)));
    cells.add(Entry.of(Integer.toString(range.seeds().size())));
    cells.add(
        new Entry(Proportion.percent(range.mean()), interval(right.interval(confidence)), ""));
    cells.add(Entry.of(Proportion.percent(range.bestSeed())));
    cells.add(
        Entry.of(
            "%s of %s"
                .formatted(
                    Numbers.count(right.trials() - right.successes()),
                    Numbers.count(right.trials()))));
    cells.add(Entry.of(Proportion.percent(range.constant())));
    cells.add(
        Entry.of(
            range
                .bestRule()
                .map(rule -> Proportion.percent(rule.mean()) + ": " + rule.rule())
                .orElse(Numbers.MISSING)));
    return TableText.line(RunName.heading(range.run()), cells.toArray(Entry[]::new));
  }

  /** The lengths as a range, and their number if there are several. */
  static String lengths(AccuracyMean range) {
    List<Integer> lengths = range.lengths();
    return Numbers.range(lengths) + (lengths.size() > 1 ? " (%d)".formatted(lengths.size()) : "");
  }

  private static String interval(Interval interval) {
    return "(%s–%s)"
        .formatted(Proportion.percent(interval.low()), Proportion.percent(interval.high()));
  }

  private static List<String> caption(List<AccuracyMean> means, double confidence) {
    List<String> caption = new ArrayList<>();
    caption.add(
        "The share of right labels, the mean over lengths and seeds. Lengths up to T_tr and beyond"
            + " have a row each, with the number of lengths in brackets. 100.00 means no error.");
    caption.add(
        "Interval: Wilson's, with %.0f %%, for all strings of all seeds. It does not contain the spread"
                .formatted(100 * confidence)
            + " between seeds.");
    if (means.stream().anyMatch(mean -> mean.bestRule().isPresent())) {
      caption.add(
          "Constant answer, best rule: what needs no automaton. A score near theirs does not show"
              + " that a language was learned.");
    } else {
      caption.add("Constant answer: the label that is right most often.");
    }
    return caption;
  }

  /** A line for each result. */
  static String csv(List<AccuracyMean> means, double confidence) {
    return Stream.concat(
            Stream.of(CSV_HEADER),
            means.stream()
                .flatMap(mean -> mean.results().stream())
                .map(result -> line(result, confidence)))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String line(AccuracyResult result, double confidence) {
    AccuracyResult.Strings strings = result.strings();
    AccuracyMean alone =
        new AccuracyMean(result.run(), strings.task(), strings.draw(), List.of(result));
    Interval interval = alone.right().interval(confidence);
    Optional<AccuracyMean.RuleScore> rule = alone.bestRule();
    return Stream.of(
            result.run(),
            result.subject().scheme(),
            result.subject().seed(),
            strings.task(),
            strings.draw().negatives(),
            strings.draw().p(),
            strings.length(),
            strings.count(),
            result.errors(),
            result.accuracy(),
            interval.low(),
            interval.high(),
            alone.constant(),
            rule.map(best -> '"' + best.rule() + '"').orElse(""),
            rule.map(best -> Double.toString(best.mean())).orElse(""))
        .map(Object::toString)
        .collect(Collectors.joining(","));
  }
}
