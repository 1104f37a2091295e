package org.lengthwise.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * Neighbouring positions whose losses are averaged. Bins grow with the position, because losses
 * change fast at first and slowly later.
 *
 * @param first the first position, at least 1
 */
public record PositionBin(int first, int last) {
  private static final double BINS_A_DOUBLING = 3;

  public PositionBin {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "expected 1 <= first <= last, found %s and %s".formatted(first, last));
    }
  }

  /**
   * {@return bins that contain each position once, in ascending order; three bins per doubling,
   * where there are enough positions}
   */
  public static List<PositionBin> upTo(int greatest) {
    List<PositionBin> bins = new ArrayList<>();
    int first = 1;
    for (int k = 1; first <= greatest; k++) {
      int next = (int) Math.round(Math.pow(2, k / BINS_A_DOUBLING));
      if (next > first) {
        bins.add(new PositionBin(first, Math.min(next - 1, greatest)));
        first = next;
      }
    }
    return List.copyOf(bins);
  }

  /** {@return the place of the bin on a logarithmic axis: the geometric mean of its ends} */
  public double middle() {
    return Math.sqrt((double) first * last);
  }
}
