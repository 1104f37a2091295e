package org.lengthwise.report.perplexity;

import org.lengthwise.report.form.RunName;

/**
 * A run or an n-gram baseline as a column of a table.
 *
 * @param trainLength T_tr, the length its models were trained with
 */
record Column(String run, int trainLength) {
  /** The name of the run for readers, for example {@code RegularGPT 128/6}. */
  String heading() {
    return RunName.heading(run);
  }

  /** Whether it is an n-gram baseline, which has neither seeds nor a verdict. */
  boolean isBaseline() {
    return RunName.isBaseline(run);
  }
}
