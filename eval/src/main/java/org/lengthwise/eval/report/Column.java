package org.lengthwise.eval.report;

/**
 * A run as a column of a table.
 *
 * @param run the run's name
 * @param trainLength T_tr, the length its models were trained with
 */
public record Column(String run, int trainLength) {
  /**
   * The run's name as a heading, such as {@code RegularGPT 128/6}.
   *
   * @return the heading
   */
  public String heading() {
    return RunName.heading(run);
  }
}
