package org.lengthwise.result;

import org.lengthwise.config.Checks;

/**
 * The norms ||g_n|| of the gradient of the last position's loss with respect to the embedding at
 * position n, for a number of samples. All numbers of a receptive field are computed from these
 * norms.
 */
public final class GradientNorms {
  private final long[] targets;
  private final float[][] norms;

  private GradientNorms(long[] targets, float[][] norms) {
    this.targets = targets;
    this.norms = norms;
  }

  /**
   * Creates norms. The arrays are not copied.
   *
   * @param targets for each sample the offset in the split of the token after it, whose loss is
   *     differentiated, or the index of a string
   * @param norms for each sample its T norms, from the earliest position to the most recent:
   *     finite, at least 0, not all 0
   * @throws IllegalArgumentException if there are fewer than two samples, their lengths differ, or
   *     a value is invalid
   */
  public static GradientNorms of(long[] targets, float[][] norms) {
    Checks.require(targets.length >= 2, "samples", "at least two", targets.length);
    Checks.require(
        targets.length == norms.length, "norms", targets.length + " samples", norms.length);
    for (int i = 0; i < targets.length; i++) {
      Checks.atLeast("target " + i, targets[i], 0);
      requireNorms("norms before target " + targets[i], norms[i], norms[0].length);
    }
    return new GradientNorms(targets, norms);
  }

  private static void requireNorms(String key, float[] norms, int length) {
    Checks.require(norms.length == length, key, length + " positions", norms.length);
    double sum = 0;
    for (float norm : norms) {
      Checks.require(norm >= 0 && Float.isFinite(norm), key, "finite, at least 0", norm);
      sum += norm;
    }
    Checks.require(sum > 0, key, "at least one norm above 0", "none");
  }

  /** {@return the number of samples, at least 2} */
  public int count() {
    return targets.length;
  }

  /** {@return T, the number of positions of each sample} */
  public int length() {
    return norms[0].length;
  }

  /** {@return the offset in the split of the token after a sample, or the index of a string} */
  public long target(int sample) {
    return targets[sample];
  }

  /**
   * {@return one norm, ||g_n||}
   *
   * @param position n, from 0, the earliest, to {@link #length()} - 1
   */
  public float norm(int sample, int position) {
    return norms[sample][position];
  }

  /**
   * {@return the cumulative gradient of one sample as T shares: element t - 1 is the share of the t
   * most recent positions in the sum of all norms; the last is 1}
   */
  public double[] cumulative(int sample) {
    float[] ofSample = norms[sample];
    double[] shares = new double[ofSample.length];
    double sum = 0;
    for (int recent = 0; recent < shares.length; recent++) {
      sum += ofSample[shares.length - 1 - recent];
      shares[recent] = sum;
    }
    for (int recent = 0; recent < shares.length; recent++) {
      shares[recent] /= sum;
    }
    return shares;
  }

  /**
   * {@return the SHA-256 over the target offsets in their order, as little-endian 64-bit integers,
   * in hexadecimal} Measurements with equal checksum, data and length read the same samples.
   */
  public String targetsSha256() {
    return ScoredTargets.digest(targets);
  }
}
