package org.lengthwise.eval.result;

import java.util.Arrays;

/**
 * The scored tokens of one checkpoint, protocol and length: where each target lies and its negative
 * log-likelihood in nats.
 */
public final class ScoredTargets {
  private final long[] targets;
  private final double[] nlls;

  private ScoredTargets(long[] targets, double[] nlls) {
    this.targets = targets;
    this.nlls = nlls;
  }

  /**
   * Pairs targets with their negative log-likelihoods; both arrays are copied.
   *
   * @param targets for each target its token offset in the split, at least 0
   * @param nlls for each target its negative log-likelihood in nats, finite
   * @return the pairs, in the order given
   * @throws IllegalArgumentException if the lengths differ, nothing is there, or a value is not one
   */
  public static ScoredTargets of(long[] targets, double[] nlls) {
    Checks.require(targets.length > 0, "targets", "at least one", "none");
    Checks.require(
        targets.length == nlls.length, "nll", targets.length + " values", nlls.length + " values");
    for (int i = 0; i < targets.length; i++) {
      Checks.atLeast("target " + i, targets[i], 0);
      Checks.finite("nll of target " + targets[i], nlls[i]);
    }
    return new ScoredTargets(targets.clone(), nlls.clone());
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
   * same data scored the same tokens.
   *
   * @return SHA-256 over the offsets as little-endian 64-bit integers, in hexadecimal
   */
  public String targetsSha256() {
    return TargetDigest.of(targets);
  }
}
