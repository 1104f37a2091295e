package org.lengthwise.dataprep.prepare;

import org.lengthwise.dataprep.shard.Split;

/**
 * The share of documents that each split gets, and the rule that assigns them.
 *
 * <p>A document's split is decided by the hash of its text, so equal texts never straddle the
 * split, and a text is on the same side in every corpus that holds it.
 *
 * @param train the fraction for training, above 0
 * @param validation the fraction watched in training
 * @param test the fraction that results are computed on; the three sum to 1
 */
public record SplitFractions(double train, double validation, double test) {

  /** Checks that the fractions are a partition. */
  public SplitFractions {
    if (!(train > 0 && validation >= 0 && test >= 0)) {
      throw new IllegalArgumentException(
          "train must be above 0, validation and test at least 0; found %s, %s, %s"
              .formatted(train, validation, test));
    }
    double sum = train + validation + test;
    if (Math.abs(sum - 1) > 1e-9) {
      throw new IllegalArgumentException("train, validation and test must sum to 1, found " + sum);
    }
  }

  /**
   * Assigns a split.
   *
   * @param textHash 64 uniformly distributed bits, taken from the text alone
   * @return test for the lowest hashes, validation for those that follow, train for the rest
   */
  public Split splitOf(long textHash) {
    double position = (textHash >>> 11) * 0x1.0p-53;
    if (position < test) {
      return Split.TEST;
    }
    return position < test + validation ? Split.VALIDATION : Split.TRAIN;
  }
}
