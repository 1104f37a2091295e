package org.lengthwise.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.error.Count;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/** Prints accuracies: a line for each length, and the mean over lengths of each model and draw. */
record AccuracyText(PrintWriter out) {
  private static final double CONFIDENCE = 0.95;

  /** Which lengths have a mean of their own. */
  private record Group(String run, long seed, AccuracyResult.Draw draw) {}

  void print(List<AccuracyResult> results) {
    Map<Group, List<AccuracyResult>> groups =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    one -> new Group(one.run(), one.subject().seed(), one.strings().draw()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    groups.forEach(
        (group, lengths) -> {
          String name = "%s seed %s, %s".formatted(group.run(), group.seed(), group.draw().label());
          lengths.forEach(one -> print("%s at %s".formatted(name, length(one)), List.of(one)));
          if (lengths.size() > 1) {
            print("%s, mean of %s".formatted(name, Count.of(lengths.size(), "length")), lengths);
          }
        });
  }

  private static int length(AccuracyResult result) {
    return result.strings().length();
  }

  private void print(String name, List<AccuracyResult> results) {
    double mean = results.stream().mapToDouble(AccuracyResult::accuracy).average().orElseThrow();
    long count = results.stream().mapToLong(one -> one.strings().count()).sum();
    long errors = results.stream().mapToLong(AccuracyResult::errors).sum();
    Interval interval = new Proportion(count - errors, count).interval(CONFIDENCE);
    String tokens =
        results.stream()
            .map(AccuracyResult::answerTokens)
            .flatMap(Stream::ofNullable)
            .collect(
                Collectors.collectingAndThen(
                    Collectors.averagingDouble(AccuracyResult.AnswerTokens::accuracy),
                    share -> ", right tokens %s %%".formatted(Proportion.percent(share))));
    out.printf(
        Locale.ROOT,
        "%s: accuracy %s %% (%s in %,d strings, 95 %% interval %s to %s)%s%n",
        name,
        Proportion.percent(mean),
        Count.of(errors, "error"),
        count,
        Proportion.percent(interval.low()),
        Proportion.percent(interval.high()),
        results.get(0).answerTokens() == null ? "" : tokens);
  }
}
