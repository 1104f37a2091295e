package org.lengthwise.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.lengthwise.error.Count;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.RecallDetails;
import org.lengthwise.result.RecallScore;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/** Prints the accuracies of recall tasks, a line for each model, setting and length. */
record RecallText(PrintWriter out) {
  private static final double CONFIDENCE = 0.95;

  void print(List<AccuracyResult> lines) {
    for (RecallScore score : RecallScore.of(lines)) {
      AccuracyResult line = score.line();
      String label = line.strings().draw().label(); // empty without settings
      out.printf(
          Locale.ROOT,
          "%s seed %d%s at %d: tokens %s of %,d (%s), strings %s of %,d (%s); chance %s %%%s: %s%n",
          line.run(),
          line.subject().seed(),
          label.isEmpty() ? "" : ", " + label,
          line.strings().length(),
          share(score.tokens().accuracy(), score.tokenInterval(CONFIDENCE)),
          score.tokens().count(),
          Count.of(score.tokens().errors(), "error"),
          share(line.accuracy(), score.stringInterval(CONFIDENCE)),
          line.strings().count(),
          Count.of(line.errors(), "error"),
          Proportion.percent(score.details().chance()),
          score.details().baselines().stream()
              .map(rule -> baseline(rule, score.tokens().count()))
              .collect(Collectors.joining()),
          score.verdict(CONFIDENCE).words());
    }
  }

  private static String share(double share, Interval interval) {
    return "%s %% [%s, %s]"
        .formatted(
            Proportion.percent(share),
            Proportion.percent(interval.low()),
            Proportion.percent(interval.high()));
  }

  private static String baseline(RecallDetails.Errors rule, long count) {
    return ", %s %s %%"
        .formatted(rule.rule(), Proportion.percent(1 - (double) rule.tokens() / count));
  }
}
