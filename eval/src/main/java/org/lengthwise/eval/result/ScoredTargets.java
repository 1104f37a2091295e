package org.lengthwise.eval.result;

import java.util.Arrays;

/**
 * The scored tokens of one checkpoint, protocol and length: where each target lies, how many tokens
 * of its window the model had read before it, and its negative log-likelihood in nats.
 *
 * <p>The order is that of the windows and of the tokens in each, the same for every model, so that
 * two evaluations with equal {@link #targetsSha256()} and length are paired row by row. A target
 * that lies in several windows has a row in each.
 */
public final class ScoredTargets {
  private final long[] targets;
  private final int[] positions;
  private final double[] nlls;

  private ScoredTargets(long[] targets, int[] positions, double[] nlls) {
    this.targets = targets;
    this.positions = positions;
    this.nlls = nlls;
  }

  /**
   * Puts targets beside their positions and negative log-likelihoods; all arrays are copied.
   *
   * @param targets for each target its token offset in the split, at least 0
   * @param positions for each target the number of tokens read before it in its window, at least 1
   * @param nlls for each target its negative log-likelihood in nats, finite
   * @return the rows, in the order given
   * @throws IllegalArgumentException if the lengths differ, nothing is there, or a value is not one
   */
  public static ScoredTargets of(long[] targets, int[] positions, double[] nlls) {
    Checks.require(targets.length > 0, "targets", "at least one", "none");
    requireAsMany("position", targets.length, positions.length);
    requireAsMany("nll", targets.length, nlls.length);
    for (int i = 0; i < targets.length; i++) {
      // Messages are made for what is wrong only: there can be millions of rows.
      if (targets[i] < 0 || positions[i] < 1 || !Double.isFinite(nlls[i])) {
        Checks.atLeast("target " + i, targets[i], 0);
        Checks.atLeast("position of target " + targets[i], positions[i], 1);
        Checks.finite("nll of target " + targets[i], nlls[i]);
      }
    }
    return new ScoredTargets(targets.clone(), positions.clone(), nlls.clone());
  }

  /**
   * The same for windows of which the last token alone is scored.
   *
   * @param length T_ex: each target has T_ex - 1 tokens before it
   * @param targets as for {@link #of}
   * @param nlls as for {@link #of}
   * @return the rows, in the order given
   * @throws IllegalArgumentException as for {@link #of}
   */
  public static ScoredTargets lastTokens(int length, long[] targets, double[] nlls) {
    int[] positions = new int[targets.length];
    Arrays.fill(positions, length - 1);
    return of(targets, positions, nlls);
  }

  private static void requireAsMany(String key, int expected, int found) {
    Checks.require(expected == found, key, expected + " values", found + " values");
  }

  /**
   * How many targets were scored.
   *
   * @return the number, at least 1
   */
  public int count() {
    return targets.length;
  }

  /**
   * Where a target lies.
   *
   * @param index the target's place, from 0 to {@link #count()} - 1
   * @return its token offset in the split
   */
  public long target(int index) {
    return targets[index];
  }

  /**
   * How much of its window the model had read before a target.
   *
   * @param index the target's place, from 0 to {@link #count()} - 1
   * @return the number of tokens, from 1 to T_ex - 1
   */
  public int position(int index) {
    return positions[index];
  }

  /**
   * How many tokens a model had read at least before it was scored.
   *
   * @return the least {@link #position}
   */
  public int leastPosition() {
    return Arrays.stream(positions).min().orElseThrow();
  }

  /**
   * How many tokens a model had read at most before it was scored.
   *
   * @return the greatest {@link #position}
   */
  public int greatestPosition() {
    return Arrays.stream(positions).max().orElseThrow();
  }

  /**
   * The negative log-likelihood of a target.
   *
   * @param index the target's place, from 0 to {@link #count()} - 1
   * @return nats
   */
  public double nll(int index) {
    return nlls[index];
  }

  /**
   * The sum of the negative log-likelihoods, added in order.
   *
   * @return nats
   */
  public double nllSum() {
    return Arrays.stream(nlls).sum();
  }

  /**
   * The sum of the squared negative log-likelihoods, added in order.
   *
   * @return square nats
   */
  public double nllSquareSum() {
    return Arrays.stream(nlls).map(nll -> nll * nll).sum();
  }

  /**
   * A digest of the target offsets and their order: two evaluations with the same digest on the
   * same data scored the same tokens; of equal length, from the same windows.
   *
   * @return SHA-256 over the offsets as little-endian 64-bit integers, in hexadecimal
   */
  public String targetsSha256() {
    return TargetDigest.of(targets);
  }
}
