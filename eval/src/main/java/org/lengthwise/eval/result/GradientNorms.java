package org.lengthwise.eval.result;

/**
 * How strongly the loss after each of some chunks depends on each of the chunk's positions: the
 * norms ||g_n|| of the gradient of the last position's loss by the embedding at position n. All
 * that is said about a receptive field follows from them.
 */
public final class GradientNorms {
  private final long[] targets;
  private final float[][] norms;

  private GradientNorms(long[] targets, float[][] norms) {
    this.targets = targets;
    this.norms = norms;
  }

  /**
   * Pairs chunks with their norms; the arrays are kept, not copied.
   *
   * @param targets for each chunk the offset in the split of the token that follows it, which the
   *     loss is about
   * @param norms for each chunk its T norms, from the earliest position to the most recent: finite,
   *     at least 0, not all 0
   * @return the pairs, in the order given
   * @throws IllegalArgumentException if there are fewer than two chunks, their lengths differ, or a
   *     value is none
   */
  public static GradientNorms of(long[] targets, float[][] norms) {
    Checks.require(targets.length >= 2, "chunks", "at least two", targets.length);
    Checks.require(
        targets.length == norms.length, "norms", targets.length + " chunks", norms.length);
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
    Checks.require(sum > 0, key, "a gradient somewhere", "none");
  }

  /**
   * How many chunks there are.
   *
   * @return the number, at least 2
   */
  public int count() {
    return targets.length;
  }

  /**
   * How many positions each chunk has.
   *
   * @return T
   */
  public int length() {
    return norms[0].length;
  }

  /**
   * Where the token lies that a chunk's loss is about.
   *
   * @param chunk from 0 to {@link #count()} - 1
   * @return its offset in the split
   */
  public long target(int chunk) {
    return targets[chunk];
  }

  /**
   * One norm.
   *
   * @param chunk from 0 to {@link #count()} - 1
   * @param position n, from 0, the earliest, to {@link #length()} - 1
   * @return ||g_n||
   */
  public float norm(int chunk, int position) {
    return norms[chunk][position];
  }

  /**
   * The cumulative gradient of one chunk.
   *
   * @param chunk from 0 to {@link #count()} - 1
   * @return T shares: element t - 1 is what the t most recent positions hold of the sum of all
   *     norms; the last is 1
   */
  public double[] cumulative(int chunk) {
    float[] ofChunk = norms[chunk];
    double[] shares = new double[ofChunk.length];
    double sum = 0;
    for (int recent = 0; recent < shares.length; recent++) {
      sum += ofChunk[shares.length - 1 - recent];
      shares[recent] = sum;
    }
    for (int recent = 0; recent < shares.length; recent++) {
      shares[recent] /= sum;
    }
    return shares;
  }

  /**
   * A digest of the target offsets and their order: two measurements with the same digest, on the
   * same data and of the same length, read the same chunks.
   *
   * @return SHA-256 over the offsets as little-endian 64-bit integers, in hexadecimal
   */
  public String targetsSha256() {
    return TargetDigest.of(targets);
  }
}
