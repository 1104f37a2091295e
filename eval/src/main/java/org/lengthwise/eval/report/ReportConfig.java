package org.lengthwise.eval.report;

import java.util.List;
import org.lengthwise.eval.statistics.Bootstrap;
import org.lengthwise.eval.statistics.VerdictRule;

/**
 * What decides the conclusions of a report.
 *
 * @param bootstrap how intervals are found
 * @param verdict when a scheme counts as extrapolating
 * @param paperColumns which runs correspond to which column of the paper's Table 3 where the scheme
 *     alone does not say it
 */
public record ReportConfig(
    Bootstrap bootstrap, VerdictRule verdict, List<PaperColumn> paperColumns) {
  /** Copies the list. */
  public ReportConfig {
    paperColumns = List.copyOf(paperColumns);
  }
}
