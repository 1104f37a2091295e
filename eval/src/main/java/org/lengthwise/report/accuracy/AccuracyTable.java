package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/** The accuracy of runs on strings: a table, and a CSV file with all numbers of all seeds. */
final class AccuracyTable {
  private static final String CSV_HEADER =
      "run,scheme,seed,task,negatives,p,length,count,errors,accuracy,low,high,constant,rule,rule_accuracy,token_accuracy";

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

  private static final List<String> ANSWERS_HEADER =
      List.of(
          "run",
          "questions",
          "lengths",
          "seeds",
          "right answers in %",
          "best seed",
          "errors",
          "right tokens in %");

  private AccuracyTable() {}

  /** The tables of labels and of answers, each if there are any. */
  static List<TableText> ofAll(List<AccuracyMean> means, double confidence) {
    List<AccuracyMean> ofLabels = means.stream().filter(mean -> !mean.areAnswers()).toList();
    List<AccuracyMean> ofAnswers = means.stream().filter(AccuracyMean::areAnswers).toList();
    List<TableText> tables = new ArrayList<>();
    if (!ofLabels.isEmpty()) {
      tables.add(of(ofLabels, confidence));
    }
    if (!ofAnswers.isEmpty()) {
      tables.add(answers(ofAnswers, confidence));
      tables.addAll(AnswersByLength.of(ofAnswers, confidence));
    }
    return tables;
  }

  /** A row for each run and questions: lengths of the training, and beyond. */
  private static TableText answers(List<AccuracyMean> means, double confidence) {
    return new TableText(
        "Answers",
        ANSWERS_HEADER,
        means.stream()
            .flatMap(mean -> mean.ranges().stream())
            .map(range -> answersRow(range, confidence))
            .toList(),
        List.of(),
        List.of(
            "The share of answers without a wrong token, and of right tokens, both the mean over"
                + " lengths of the question and seeds. The right tokens before a token are given."
                + " Lengths of the training and beyond have a row each.",
            "Intervals: Wilson's, with %s %%, for all answers of all seeds, also where tokens are"
                    .formatted(Math.round(100 * confidence))
                + " counted. They do not contain the spread between seeds."),
        "lllrrrrr");
  }

  private static List<Entry> answersRow(AccuracyMean range, double confidence) {
    return TableText.line(
        RunName.heading(range.run()),
        Entry.of(range.task()),
        Entry.of(lengths(range)),
        Entry.of(Integer.toString(range.seeds().size())),
        share(range.mean(), range.right(), confidence),
        Entry.of(Proportion.percent(range.bestSeed())),
        errors(range.right()),
        share(range.tokenShare(), range.rightTokens(), confidence));
  }

  private static Entry share(double mean, Proportion right, double confidence) {
    return new Entry(Proportion.percent(mean), interval(right.interval(confidence)), "");
  }

  private static Entry errors(Proportion right) {
    return Entry.of(
        "%s of %s"
            .formatted(
                Numbers.count(right.trials() - right.successes()), Numbers.count(right.trials())));
  }

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
    cells.add(share(range.mean(), right, confidence));
    cells.add(Entry.of(Proportion.percent(range.bestSeed())));
    cells.add(errors(right));
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
    return Numbers.range(lengths) + (lengths.size() > 1 ? " (%s)".formatted(lengths.size()) : "");
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
        "Interval: Wilson's, with %s %%, for all strings of all seeds. It does not contain the spread"
                .formatted(Math.round(100 * confidence))
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
            alone.areAnswers() ? "" : Objects.requireNonNull(strings.draw().negatives()),
            alone.areAnswers() ? "" : Objects.requireNonNull(strings.draw().p()),
            strings.length(),
            strings.count(),
            result.errors(),
            result.accuracy(),
            interval.low(),
            interval.high(),
            alone.areAnswers() ? "" : alone.constant(),
            rule.map(best -> '"' + best.rule() + '"').orElse(""),
            rule.map(best -> Double.toString(best.mean())).orElse(""),
            result.answerTokens() == null ? "" : result.answerTokens().accuracy())
        .map(Object::toString)
        .collect(Collectors.joining(","));
  }
}
