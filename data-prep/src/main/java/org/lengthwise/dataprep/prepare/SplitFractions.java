package org.lengthwise.dataprep.prepare;

import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.shard.Split;

/**
 * The share of documents that each split gets, and the rule that assigns a document to a split.
 *
 * <p>The hash of a document's text decides its split. So equal texts are in the same split, and a
 * text is in the same split in every corpus.
 *
 * @param train the fraction for training; the three fractions sum to 1
 * @param validation the fraction for validation during training
 * @param test the fraction for measurements
 */
public record SplitFractions(double train, double validation, double test) {

  public SplitFractions {
    Checks.above("train", train, 0);
    Checks.require(validation >= 0, "validation", "at least 0", validation);
    Checks.require(test >= 0, "test", "at least 0", test);
    double sum = train + validation + test;
    Checks.require(
        Math.abs(sum - 1) <= 1e-9,
        "train",
        "a number with which train, validation (%s) and test (%s) sum to 1"
            .formatted(validation, test),
        train);
  }

  /**
   * {@return the split of a text: test for the lowest hashes, validation for the next ones, train
   * for the rest}
   *
   * @param textHash 64 uniformly distributed bits that depend on the text alone
   */
  public Split splitOf(long textHash) {
    double position = (textHash >>> 11) * 0x1.0p-53;
    if (position < test) {
      return Split.TEST;
    }
    return position < test + validation ? Split.VALIDATION : Split.TRAIN;
  }
}
