package org.lengthwise.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.plot.Chart;
import org.lengthwise.statistics.Estimate;

/**
 * The numbers of {@code report.json}, with all digits. Means and differences are of negative
 * log-likelihoods in nats.
 *
 * @param formatVersion the version of this record, {@link #FORMAT_VERSION}
 * @param confidence the share that intervals hold
 * @param toleratedRatio the largest perplexity at T, divided by the perplexity at T_tr, at which a
 *     scheme extrapolates
 * @param explosiveRatio the ratio from which on it explodes
 * @param runs every run in the order of its looks
 * @param verdicts the verdict on each run that has one
 * @param estimates the means, changes and differences with their intervals
 * @param training the losses of each run and seed during training
 * @param charts the charts of the page
 */
record ReportData(
    int formatVersion,
    double confidence,
    double toleratedRatio,
    double explosiveRatio,
    List<Run> runs,
    List<Verdict> verdicts,
    List<Row> estimates,
    List<Training> training,
    List<Chart> charts) {
  private static final int FORMAT_VERSION = 2;

  /** A run and its heading. */
  record Run(String run, String heading) {}

  /** The outcome by its name, and the verdict in words. */
  record Verdict(String protocol, String run, String outcome, String verdict) {}

  /**
   * A mean, or a paired difference between two runs or two lengths.
   *
   * @param protocol the protocol
   * @param kind {@code mean}, {@code change} (since T_tr), {@code length-change} (since the next
   *     shorter length), or {@code difference} (between two runs, or a run and a baseline)
   * @param run the run
   * @param length T_ex
   * @param minusRun the subtracted run, empty for a mean
   * @param minusLength the length of the subtracted run, 0 for a mean
   * @param nll the mean or difference with its interval
   */
  record Row(
      String protocol,
      String kind,
      String run,
      int length,
      String minusRun,
      int minusLength,
      Estimate nll) {}

  /** The losses of one run and seed by tokens trained on. */
  record Training(String run, long seed, LossCurve training, LossCurve validation) {}

  /** Gathers the numbers. */
  static ReportData of(ReportContent content, List<Chart> charts) {
    ReportConfig config = content.config();
    return new ReportData(
        FORMAT_VERSION,
        config.bootstrap().confidence(),
        config.verdict().toleratedRatio(),
        config.verdict().explosiveRatio(),
        content.runs().stream().map(run -> new Run(run, RunName.heading(run))).toList(),
        content.statistics().stream().flatMap(ReportData::verdicts).toList(),
        content.statistics().stream().flatMap(ReportData::rows).toList(),
        content.trained().stream()
            .map(run -> new Training(run.run(), run.seed(), run.training(), run.validation()))
            .toList(),
        charts);
  }

  private static Stream<Verdict> verdicts(TableStatistics statistics) {
    return statistics.verdicts().entrySet().stream()
        .map(
            verdict ->
                new Verdict(
                    statistics.table().protocol().label(),
                    verdict.getKey().run(),
                    verdict.getValue().outcome().label(),
                    verdict.getValue().words()));
  }

  private static Stream<Row> rows(TableStatistics statistics) {
    String protocol = statistics.table().protocol().label();
    List<Row> rows = new ArrayList<>();
    statistics
        .means()
        .forEach(
            (run, means) ->
                means.forEach(
                    (at, nll) -> rows.add(new Row(protocol, "mean", run.run(), at, "", 0, nll))));
    statistics
        .changes()
        .forEach(
            (run, changes) ->
                changes.forEach(
                    (at, nll) ->
                        rows.add(
                            new Row(
                                protocol,
                                "change",
                                run.run(),
                                at,
                                run.run(),
                                run.trainLength(),
                                nll))));
    for (TableStatistics.LengthChange change : statistics.lengthChanges()) {
      String run = change.run().run();
      rows.add(
          new Row(protocol, "length-change", run, change.to(), run, change.from(), change.nll()));
    }
    for (TableStatistics.Difference pair : statistics.allDifferences()) {
      String first = pair.first().run();
      String second = pair.second().run();
      rows.add(
          new Row(protocol, "difference", first, pair.length(), second, pair.length(), pair.nll()));
    }
    return rows.stream();
  }
}
