package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;
import org.lengthwise.statistics.SeedShares;

/**
 * The accuracy of runs on strings: tables, and a CSV file with all numbers of all seeds.
 *
 * @param confidence the share that intervals hold
 */
record AccuracyTable(double confidence) {
  /** The tables of labels and of answers, each if there are any. */
  List<TableText> ofAll(List<AccuracyMean> means) {
    List<AccuracyMean> ofLabels = means.stream().filter(mean -> !mean.areAnswers()).toList();
    List<AccuracyMean> ofAnswers = means.stream().filter(AccuracyMean::areAnswers).toList();
    List<TableText> tables = new ArrayList<>();
    if (!ofLabels.isEmpty()) {
      tables.add(of(ofLabels));
    }
    if (!ofAnswers.isEmpty()) {
      tables.add(answers(ofAnswers));
      tables.addAll(byLength(ofAnswers));
    }
    return tables;
  }

  /** A row for each run, task, draw and range of lengths: up to T_tr, and beyond. */
  TableText of(List<AccuracyMean> means) {
    return new Columns<AccuracyMean>()
        .words("run", range -> RunName.heading(range.run()))
        .words("task", AccuracyMean::task)
        .words("strings", AccuracyMean::label)
        .words("lengths", AccuracyTable::lengths)
        .number("seeds", range -> range.seeds().size())
        .number("accuracy in %", range -> share(range.mean(), range.right()))
        .number("best seed", range -> Proportion.percent(range.bestSeed()))
        .number("errors", range -> errors(range.right()))
        .number(
            "constant answer",
            range ->
                range
                    .constant()
                    .map(known -> Proportion.percent(known.mean()))
                    .orElse(Numbers.MISSING))
        .words("best rule", AccuracyTable::bestRule)
        .of("Accuracy on strings", ranges(means), caption(means));
  }

  private static List<AccuracyMean> ranges(List<AccuracyMean> means) {
    return means.stream().flatMap(mean -> mean.ranges().stream()).toList();
  }

  /** A row for each run and questions: lengths of the training, and beyond. */
  private TableText answers(List<AccuracyMean> means) {
    return new Columns<AccuracyMean>()
        .words("run", range -> RunName.heading(range.run()))
        .words("questions", AccuracyMean::task)
        .words("lengths", AccuracyTable::lengths)
        .number("seeds", range -> range.seeds().size())
        .number("right answers in %", range -> share(range.mean(), range.right()))
        .number("best seed", range -> Proportion.percent(range.bestSeed()))
        .number("errors", range -> errors(range.right()))
        .number("right tokens in %", range -> share(range.tokenShare(), range.rightTokens()))
        .of(
            "Answers",
            ranges(means),
            List.of(
                "The share of answers without a wrong token, and of right tokens, both the mean"
                    + " over lengths of the question and seeds. The right tokens before a token are"
                    + " given. Lengths of the training and beyond have a row each.",
                "Intervals: Wilson's, with %s, for all answers of all seeds, also where tokens are"
                        .formatted(percent())
                    + " counted. They do not contain the spread between seeds."));
  }

  private String percent() {
    return Math.round(100 * confidence) + " %";
  }

  private Entry share(double mean, Proportion right) {
    return new Entry(Proportion.percent(mean), Numbers.percents(right.interval(confidence)), "");
  }

  static String errors(Proportion right) {
    return "%s of %s"
        .formatted(
            Numbers.count(right.trials() - right.successes()), Numbers.count(right.trials()));
  }

  static String bestRule(AccuracyMean range) {
    return range
        .bestRule()
        .map(rule -> Proportion.percent(rule.mean()) + ": " + rule.name())
        .orElse(Numbers.MISSING);
  }

  /** The lengths as a range, and their number if there are several. */
  static String lengths(AccuracyMean range) {
    List<Integer> lengths = range.lengths();
    return Numbers.range(lengths) + (lengths.size() > 1 ? " (%s)".formatted(lengths.size()) : "");
  }

  private List<String> caption(List<AccuracyMean> means) {
    boolean haveRules = means.stream().anyMatch(mean -> mean.bestRule().isPresent());
    return List.of(
        "The share of right labels, the mean over lengths and seeds. Lengths up to T_tr and beyond"
            + " have a row each, with the number of lengths in brackets. 100.00 means no error.",
        "Interval: Wilson's, with %s, for all strings of all seeds. It does not contain the spread"
                .formatted(percent())
            + " between seeds.",
        haveRules
            ? "Constant answer, best rule: what needs no automaton. A score near theirs does not"
                + " show that a language was learned."
            : "Constant answer: the label that is right most often.");
  }

  /** Two tables for each file of questions: right answers, and right tokens. */
  private List<TableText> byLength(List<AccuracyMean> means) {
    Map<String, List<AccuracyMean>> byQuestions =
        means.stream().collect(Groups.by(AccuracyMean::task));
    return byQuestions.entrySet().stream()
        .flatMap(
            group ->
                Stream.of(
                    byLength(
                        "Right answers by length in %, " + group.getKey(),
                        group.getValue(),
                        "The share of answers without a wrong token, the mean over seeds.",
                        AccuracyResult::accuracy),
                    byLength(
                        "Right tokens of answers by length in %, " + group.getKey(),
                        group.getValue(),
                        "The share of right tokens, the mean over seeds. The right tokens before a"
                            + " token are given.",
                        one -> one.share(1).accuracy())))
        .toList();
  }

  private TableText byLength(
      String title,
      List<AccuracyMean> runs,
      String meaning,
      Function<AccuracyResult, Double> share) {
    Columns<Integer> columns = new Columns<Integer>().number("tokens in x", length -> length);
    runs.forEach(
        run -> columns.number(RunName.heading(run.run()), length -> cell(run.at(length), share)));
    return columns.of(
        title,
        runs.stream().flatMap(run -> run.lengths().stream()).distinct().sorted().toList(),
        List.of(
            meaning,
            "Intervals: Student's t over seeds, with %s, cut at 0 and 100.".formatted(percent())
                + " Where all seeds have the same share, and for a single seed: Wilson's for the"
                + " questions, which all seeds share."));
  }

  private Object cell(AccuracyMean at, Function<AccuracyResult, Double> share) {
    if (at.results().isEmpty()) {
      return Numbers.MISSING;
    }
    SeedShares seeds =
        new SeedShares(
            at.results().stream().map(share).toList(),
            at.results().stream().mapToLong(one -> one.strings().count()).min().orElseThrow());
    Interval interval = seeds.interval(confidence);
    return new Entry(
        Proportion.percent(seeds.mean()),
        "[%s, %s]"
            .formatted(Proportion.percent(interval.low()), Proportion.percent(interval.high())),
        "");
  }

  /** The columns of every file of numbers: which run, and on which task. */
  static <T> Columns<T> runs(Columns<T> columns, String task, Function<T, AccuracyResult> line) {
    return columns
        .words("run", one -> line.apply(one).run())
        .words("scheme", one -> line.apply(one).subject().scheme())
        .words("seed", one -> line.apply(one).subject().seed())
        .words(task, one -> line.apply(one).strings().task());
  }

  String csv(List<AccuracyMean> means) {
    return runs(new Columns<AccuracyResult>(), "task", Function.identity())
        .words("negatives", one -> one.strings().settings().path("negatives").asText())
        .words("p", one -> one.strings().settings().path("p").asText())
        .number("length", AccuracyResult::length)
        .number("count", one -> one.strings().count())
        .number("errors", one -> one.share(0).errors())
        .number("accuracy", AccuracyResult::accuracy)
        .number("low", one -> one.interval(0, confidence).low())
        .number("high", one -> one.interval(0, confidence).high())
        .number(
            "constant",
            one ->
                alone(one).constant().map(AccuracyMean.Known::mean).map(String::valueOf).orElse(""))
        .words("rule", one -> alone(one).bestRule().map(best -> '"' + best.name() + '"').orElse(""))
        .number(
            "rule_accuracy",
            one -> alone(one).bestRule().map(best -> Double.toString(best.mean())).orElse(""))
        .number("token_accuracy", one -> one.shares().size() > 1 ? one.share(1).accuracy() : "")
        .csv(means.stream().flatMap(mean -> mean.results().stream()).toList());
  }

  private static AccuracyMean alone(AccuracyResult one) {
    return new AccuracyMean(List.of(one));
  }
}
