package org.lengthwise.ngram;

/**
 * The numbers that modified Kneser-Ney smoothing subtracts from counts of 1, of 2, and of 3 or
 * more.
 *
 * <p>Source: Chen and Goodman, "An Empirical Study of Smoothing Techniques for Language Modeling",
 * 1998, equation 26. If the counts give no valid estimate, the discounts are 1/2, 1 and 3/2.
 *
 * @param one D_1, from 0 to 1
 * @param two D_2, from 0 to 2
 * @param more D_3+, from 0 to 3
 */
public record Discounts(double one, double two, double more, boolean isEstimated) {
  private static final Discounts FALLBACK = new Discounts(0.5, 1, 1.5, false);

  /**
   * Estimates the discounts of one gram length.
   *
   * @param grams m_j at index j = 1..4, the number of different grams with count j
   */
  static Discounts of(long[] grams) {
    if (grams[1] == 0 || grams[2] == 0 || grams[3] == 0) {
      return FALLBACK;
    }
    double y = grams[1] / (grams[1] + 2.0 * grams[2]);
    double one = 1 - 2 * y * grams[2] / grams[1];
    double two = 2 - 3 * y * grams[3] / grams[2];
    double more = 3 - 4 * y * grams[4] / grams[3];
    boolean isValid = within(one, 1) && within(two, 2) && within(more, 3);
    return isValid ? new Discounts(one, two, more, true) : FALLBACK;
  }

  private static boolean within(double discount, int count) {
    return discount >= 0 && discount <= count;
  }

  double of(long count) {
    return count == 1 ? one : count == 2 ? two : more;
  }
}
