package org.lengthwise.eval.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * Neighbouring positions whose losses are averaged: few where losses change fast, ever more where
 * they change slowly.
 *
 * @param first the first position, at least 1
 * @param last the last one
 */
public record PositionBin(int first, int last) {
  private static final double BINS_A_DOUBLING = 3;

  /** Checks the values. */
  public PositionBin {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "expected 1 <= first <= last, found %d and %d".formatted(first, last));
    }
  }

  /**
   * Bins that hold every position once.
   *
   * @param greatest the greatest position
   * @return the bins, rising, each wider than the one before by the same factor where positions
   *     allow it
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

  /**
   * Where the bin stands on a logarithmic axis.
   *
   * @return the geometric mean of its ends
   */
  public double middle() {
    return Math.sqrt((double) first * last);
  }
}
