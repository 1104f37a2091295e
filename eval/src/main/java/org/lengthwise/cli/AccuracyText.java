package org.lengthwise.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.lengthwise.error.Count;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.RecallScore;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/**
 * Prints accuracies: a line for each result, and for strings that are labelled or answered the mean
 * over lengths of each model and draw.
 */
record AccuracyText(PrintWriter out) {
  private static final double CONFIDENCE = 0.95;

  /** Which lengths have a mean of their own. */
  private record Group(String run, long seed, String label) {}

  void print(List<AccuracyResult> results) {
    RecallScore.of(results).forEach(this::recall);
    results.stream()
        .filter(one -> one.metric().equals(AccuracyResult.PASSKEY))
        .forEach(this::passkey);
    Map<Group, List<AccuracyResult>> groups =
        results.stream()
            .filter(one -> !one.metric().equals(AccuracyResult.RECALL))
            .filter(one -> !one.metric().equals(AccuracyResult.PASSKEY))
            .collect(
                Collectors.groupingBy(
                    one -> new Group(one.run(), one.subject().seed(), one.label()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    groups.forEach(
        (group, lengths) -> {
          String name = "%s seed %s, %s".formatted(group.run(), group.seed(), group.label());
          lengths.forEach(one -> print("%s at %s".formatted(name, one.length()), List.of(one)));
          if (lengths.size() > 1) {
            print("%s, mean of %s".formatted(name, Count.of(lengths.size(), "length")), lengths);
          }
        });
  }

  private void print(String name, List<AccuracyResult> results) {
    double mean = results.stream().mapToDouble(AccuracyResult::accuracy).average().orElseThrow();
    long count = results.stream().mapToLong(one -> one.strings().count()).sum();
    long right = results.stream().mapToLong(one -> one.share(0).right()).sum();
    Interval interval = new Proportion(right, count).interval(CONFIDENCE);
    double tokens =
        results.stream()
            .filter(one -> one.shares().size() > 1)
            .mapToDouble(one -> one.share(1).accuracy())
            .average()
            .orElse(Double.NaN);
    out.printf(
        Locale.ROOT,
        "%s: accuracy %s %% (%s in %,d strings, 95 %% interval %s to %s)%s%n",
        name,
        Proportion.percent(mean),
        Count.of(count - right, "error"),
        count,
        Proportion.percent(interval.low()),
        Proportion.percent(interval.high()),
        Double.isNaN(tokens) ? "" : ", right tokens %s %%".formatted(Proportion.percent(tokens)));
  }

  private void recall(RecallScore score) {
    AccuracyResult line = score.line();
    String label = line.label(); // empty without settings
    out.printf(
        Locale.ROOT,
        "%s seed %d%s at %d: tokens %s, strings %s; chance %s %%%s: %s%n",
        line.run(),
        line.subject().seed(),
        label.isEmpty() ? "" : ", " + label,
        line.length(),
        share(line, RecallScore.TOKENS),
        share(line, 0),
        Proportion.percent(score.tokens().chance()),
        line.baselines().stream()
            .map(
                rule ->
                    ", %s %s %%"
                        .formatted(
                            rule.name(), Proportion.percent(line.of(rule, RecallScore.TOKENS))))
            .collect(Collectors.joining()),
        score.verdict(CONFIDENCE).words());
  }

  private static String share(AccuracyResult line, int index) {
    Share share = line.share(index);
    Interval interval = line.interval(index, CONFIDENCE);
    return String.format(
        Locale.ROOT,
        "%s %% [%s, %s] of %,d (%s)",
        Proportion.percent(share.accuracy()),
        Proportion.percent(interval.low()),
        Proportion.percent(interval.high()),
        share.count(),
        Count.of(share.errors(), "error"));
  }

  private void passkey(AccuracyResult line) {
    out.printf(
        Locale.ROOT,
        "%s seed %d at %d, %s: %s of %d; gain %.3f nats%n",
        line.run(),
        line.subject().seed(),
        line.length(),
        line.label(),
        line.shares().stream()
            .map(share -> share.of() + " " + share.right())
            .collect(Collectors.joining(", ")),
        line.strings().count(),
        line.means().get("gain"));
  }
}
