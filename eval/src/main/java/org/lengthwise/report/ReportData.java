package org.lengthwise.report;

import java.util.Collection;
import java.util.List;
import org.lengthwise.plot.Chart;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.perplexity.EstimateRow;
import org.lengthwise.report.perplexity.VerdictRow;
import org.lengthwise.report.training.RunLosses;

/**
 * The numbers of {@code report.json}, with all digits. Means and differences are of negative
 * log-likelihoods in nats.
 *
 * @param toleratedRatio the largest perplexity at T, divided by the perplexity at T_tr, at which a
 *     scheme extrapolates; from the explosive ratio on it explodes
 * @param files the names of all files of the report
 */
record ReportData(
    int formatVersion,
    double confidence,
    double toleratedRatio,
    double explosiveRatio,
    List<Run> runs,
    List<VerdictRow> verdicts,
    List<EstimateRow> estimates,
    List<RunLosses> training,
    List<Chart> charts,
    List<String> files) {
  private static final int FORMAT_VERSION = 2;

  record Run(String run, String heading, String model, int look) {
    static List<Run> all(Looks looks) {
      return looks.runs().stream()
          .map(run -> looks.of(run))
          .map(run -> new Run(run.run(), run.name(), looks.model(run.run()), run.look()))
          .toList();
    }
  }

  static ReportData of(ReportContent content, List<Chart> charts, Collection<String> files) {
    ReportConfig config = content.config();
    return new ReportData(
        FORMAT_VERSION,
        config.bootstrap().confidence(),
        config.verdict().toleratedRatio(),
        config.verdict().explosiveRatio(),
        Run.all(content.looks()),
        content.perplexity().verdicts(),
        content.perplexity().estimates(),
        content.training().losses(),
        charts,
        List.copyOf(files));
  }
}
