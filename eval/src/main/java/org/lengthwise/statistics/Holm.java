package org.lengthwise.statistics;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holm's step-down correction of a family of m tests. If no effect exists, the probability that any
 * adjusted p-value is at most alpha is at most alpha, for any dependence between the tests.
 *
 * <p>Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
 * Journal of Statistics 6 (1979).
 */
public final class Holm {
  private Holm() {}

  /**
   * {@return the adjusted p-values, in the order of the given ones} In rising order, the i-th (from
   * 0) is multiplied by m - i. An adjusted value is never below an earlier one, and at most 1.
   */
  public static double[] adjusted(double... pValues) {
    List<Integer> rising =
        IntStream.range(0, pValues.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> pValues[i]))
            .toList();
    double[] adjusted = new double[pValues.length];
    double least = 0;
    for (int rank = 0; rank < pValues.length; rank++) {
      int i = rising.get(rank);
      least = Math.max(least, Math.min(1, (pValues.length - rank) * pValues[i]));
      adjusted[i] = least;
    }
    return adjusted;
  }
}
