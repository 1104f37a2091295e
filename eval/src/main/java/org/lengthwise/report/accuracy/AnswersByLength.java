package org.lengthwise.report.accuracy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;
import org.lengthwise.statistics.SeedShares;

/** The answers of runs to questions of each length: the mean over seeds with its interval. */
final class AnswersByLength {
  private AnswersByLength() {}

  /** Two tables for each file of questions: right answers, and right tokens. */
  static List<TableText> of(List<AccuracyMean> means, double confidence) {
    Map<String, List<AccuracyMean>> byQuestions =
        means.stream()
            .collect(
                Collectors.groupingBy(AccuracyMean::task, LinkedHashMap::new, Collectors.toList()));
    return byQuestions.entrySet().stream()
        .flatMap(
            group ->
                Stream.of(
                    table(
                        "Right answers by length in %, " + group.getKey(),
                        group.getValue(),
                        confidence,
                        "The share of answers without a wrong token, the mean over seeds.",
                        AccuracyResult::accuracy),
                    table(
                        "Right tokens of answers by length in %, " + group.getKey(),
                        group.getValue(),
                        confidence,
                        "The share of right tokens, the mean over seeds. The right tokens before a"
                            + " token are given.",
                        AccuracyMean::tokenAccuracy)))
        .toList();
  }

  private static TableText table(
      String title,
      List<AccuracyMean> runs,
      double confidence,
      String meaning,
      Function<AccuracyResult, Double> share) {
    List<Integer> lengths =
        runs.stream().flatMap(run -> run.lengths().stream()).distinct().sorted().toList();
    return new TableText(
        title,
        Stream.concat(
                Stream.of("tokens in x"), runs.stream().map(run -> RunName.heading(run.run())))
            .toList(),
        lengths.stream()
            .map(
                length ->
                    TableText.line(
                        Integer.toString(length),
                        runs.stream()
                            .map(run -> cell(run.at(length), confidence, share))
                            .toArray(Entry[]::new)))
            .toList(),
        List.of(),
        List.of(
            meaning,
            "Intervals: Student's t over seeds, with %s %%, cut at 0 and 100."
                    .formatted(Math.round(100 * confidence))
                + " Where all seeds have the same share, and for a single seed: Wilson's for the"
                + " questions, which all seeds share."),
        "r".repeat(1 + runs.size()));
  }

  private static Entry cell(
      AccuracyMean at, double confidence, Function<AccuracyResult, Double> share) {
    if (at.results().isEmpty()) {
      return Entry.of(Numbers.MISSING);
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
}
