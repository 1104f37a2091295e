package org.lengthwise.eval.result;

import java.util.Arrays;
import java.util.List;

/**
 * A cumulative gradient curve: c_n is the share of the last position's gradient that reaches the
 * positions n and later.
 *
 * @param cumulative c_n by position n from the earliest (0, where c is 1) to the most recent; never
 *     rising with n
 * @param effective the effective receptive field: how many of the most recent tokens are needed for
 *     c to reach {@link #THRESHOLD}
 */
public record CumulativeGradient(List<Double> cumulative, int effective) {
  /** The share of the gradient that the effective receptive field holds. */
  public static final double THRESHOLD = 0.99;

  private static final double TOLERANCE = 1e-5;

  /** Checks that the curve is one and that the effective receptive field is the curve's. */
  public CumulativeGradient {
    cumulative = List.copyOf(cumulative);
    Checks.require(!cumulative.isEmpty(), "cumulative", "at least one position", "none");
    Checks.require(
        Math.abs(cumulative.get(0) - 1) <= TOLERANCE,
        "cumulative",
        "1 at the first position",
        cumulative.get(0));
    for (int n = 1; n < cumulative.size(); n++) {
      double value = cumulative.get(n);
      Checks.require(
          value >= 0 && value <= cumulative.get(n - 1) + TOLERANCE,
          "cumulative",
          "shares that never rise with the position",
          value + " at position " + n);
    }
    Checks.require(
        effective == effectiveOf(cumulative),
        "effective",
        effectiveOf(cumulative) + " as the curve has it",
        effective);
  }

  /**
   * The curve of given shares.
   *
   * @param cumulative c_n by position, as the record's component
   * @return the curve with its effective receptive field
   */
  public static CumulativeGradient of(double[] cumulative) {
    List<Double> shares = Arrays.stream(cumulative).boxed().toList();
    return new CumulativeGradient(shares, effectiveOf(shares));
  }

  private static int effectiveOf(List<Double> cumulative) {
    int first = cumulative.size() - 1;
    while (first > 0 && cumulative.get(first) < THRESHOLD) {
      first--;
    }
    return cumulative.size() - first;
  }
}
