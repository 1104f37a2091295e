package org.lengthwise.result;

import org.lengthwise.result.CumulativeGradient.EffectiveField;
import org.lengthwise.result.CumulativeGradient.Point;

/**
 * The mean of the samples' cumulative gradients with its pointwise band, at every number of tokens.
 *
 * <p>The band is the normal 95 % interval of a mean: share +- 1.96 s / sqrt(N), clipped to [0, 1],
 * with the standard deviation s over the N samples. The interval of an effective receptive field is
 * the range in which the band contains the share.
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record MeanCurve(double[] shares, double[] halfWidths) {
  /** The normal distribution's quantile at 97.5 %. */
  private static final double QUANTILE = 1.959963984540054;

  /** Averages in one pass, after Welford, because shares near 1 have deviations near 0. */
  static MeanCurve of(GradientNorms norms) {
    double[] mean = new double[norms.length()];
    double[] squares = new double[norms.length()];
    for (int sample = 0; sample < norms.count(); sample++) {
      double[] cumulative = norms.cumulative(sample);
      for (int i = 0; i < mean.length; i++) {
        double away = cumulative[i] - mean[i];
        mean[i] += away / (sample + 1);
        squares[i] += away * (cumulative[i] - mean[i]);
      }
    }
    double divisor = (double) norms.count() * (norms.count() - 1);
    double[] halfWidths = new double[mean.length];
    double least = 0;
    for (int i = 0; i < mean.length; i++) {
      halfWidths[i] = QUANTILE * Math.sqrt(squares[i] / divisor);
      least = Math.max(least, Math.min(1, mean[i])); // rounding must not make a curve fall
      mean[i] = least;
    }
    return new MeanCurve(mean, halfWidths);
  }

  Point point(int tokens) {
    return new Point(tokens, shares[tokens - 1], low(tokens), high(tokens));
  }

  /** The share of part k of a number of equal parts of the sample, the earliest first. */
  double part(int k, int parts) {
    return latest(shares.length - start(k, parts)) - latest(shares.length - start(k + 1, parts));
  }

  private int start(int k, int parts) {
    return (int) ((long) k * shares.length / parts);
  }

  private double latest(int tokens) {
    return tokens == 0 ? 0 : shares[tokens - 1];
  }

  EffectiveField effective(double share) {
    int tokens = first(share, false);
    int low = first(share, true);
    int high = shares.length;
    while (high > 1 && low(high - 1) >= share) {
      high--;
    }
    return new EffectiveField(share, tokens, low, high);
  }

  /** The fewest tokens that hold a share, by the mean or by the upper end of the band. */
  private int first(double share, boolean upper) {
    int tokens = 1;
    while (tokens < shares.length && (upper ? high(tokens) : shares[tokens - 1]) < share) {
      tokens++;
    }
    return tokens;
  }

  private double low(int tokens) {
    return Math.max(0, shares[tokens - 1] - halfWidths[tokens - 1]);
  }

  private double high(int tokens) {
    return Math.min(1, shares[tokens - 1] + halfWidths[tokens - 1]);
  }
}
