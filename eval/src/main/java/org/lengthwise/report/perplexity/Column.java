package org.lengthwise.report.perplexity;

import org.lengthwise.report.form.RunName;

/**
 * A run or an n-gram baseline as a column of a table.
 *
 * @param trainLength T_tr, the length its models were trained with
 */
record Column(String run, int trainLength) {
  String heading() {
    return RunName.heading(run);
  }

  boolean isBaseline() {
    return RunName.isBaseline(run);
  }
}
