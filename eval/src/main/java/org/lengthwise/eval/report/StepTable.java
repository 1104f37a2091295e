package org.lengthwise.eval.report;

import java.util.List;
import org.lengthwise.eval.statistics.Estimate;

/** What every run does from each measured length to the next, one row for each step. */
final class StepTable {
  private StepTable() {}

  /** Spells the table out. */
  static TableText of(TableStatistics statistics) {
    return new TableText(
        "Steps between neighbouring lengths, %s protocol"
            .formatted(statistics.table().protocol().label()),
        List.of("run", "T_ex", "step in nats", "", "perplexity", "tokens", "seeds"),
        statistics.steps().stream().map(StepTable::row).toList(),
        List.of(),
        List.of(
            "Mean over target tokens and seeds of the negative log-likelihood at the longer length minus"
                + " that of the same token at the shorter one; where the interval has zero inside, the"
                + " two lengths are not distinguishable here. Each interval stands for itself: among"
                + " many, some miss."),
        "llrlrrr");
  }

  private static List<TableText.Entry> row(Step step) {
    Estimate nll = step.nll();
    return TableText.line(
        step.run().heading(),
        List.of(
            "%d to %d".formatted(step.from(), step.to()),
            Numbers.estimate(nll),
            words(nll),
            Numbers.ratio(Math.exp(nll.mean())),
            Numbers.tokens(nll),
            Integer.toString(nll.numSeeds())));
  }

  private static String words(Estimate nll) {
    if (!nll.isDistinguishable()) {
      return StatisticsText.NOT_DISTINGUISHABLE;
    }
    return nll.mean() > 0 ? "rises" : "falls";
  }
}
