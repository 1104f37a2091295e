package org.lengthwise.statistics;

import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * The rule that finds the last tokens of documents.
 *
 * @param data the shard folder of the test split; absent for that of the experiment, and for no
 *     such tokens if there is no experiment
 * @param last the number of last tokens of each document, its end of text included
 */
public record DocumentEndRule(@AbsentMeans("null") @Nullable String data, int last) {
  public DocumentEndRule {
    Checks.atLeast("last", last, 1);
  }
}
