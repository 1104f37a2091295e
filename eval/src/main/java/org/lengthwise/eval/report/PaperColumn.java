package org.lengthwise.eval.report;

/**
 * Which column of the paper's Table 3 a run of another training length corresponds to.
 *
 * @param run the run's name
 * @param trainLength T_tr, the length its models were trained with
 * @param column the paper's column, such as {@code regulargpt-32-6}
 */
public record PaperColumn(String run, int trainLength, String column) {
  /** Checks the values. */
  public PaperColumn {
    if (!RunName.isOfThePaper(column)) {
      throw new IllegalArgumentException(
          "expected a column of the paper's Table 3, such as regulargpt-32-6, found " + column);
    }
  }

  /** Whether this is said of a run. */
  boolean isOf(Column ours) {
    return ours.equals(new Column(run, trainLength));
  }
}
