package org.lengthwise.report.perplexity;

import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.report.form.RunName;

/**
 * The column of the paper's Table 3 that a run of another training length is compared with.
 *
 * @param run the name of the run
 * @param trainLength T_tr of the run
 * @param column the column of the paper, such as {@code regulargpt-32-6}
 */
public record PaperColumn(String run, @Unit("tokens") int trainLength, String column) {
  public PaperColumn {
    Checks.require(
        RunName.isOfThePaper(column),
        "column",
        "a column of the paper's Table 3, such as regulargpt-32-6",
        column);
  }

  boolean isOf(Column ours) {
    return ours.equals(new Column(run, trainLength));
  }
}
