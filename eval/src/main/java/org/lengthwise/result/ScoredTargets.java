package org.lengthwise.result;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.Checks;

/**
 * The scored tokens of one checkpoint, protocol and length: the offset of each target, its position
 * in its window, and its negative log-likelihood in nats.
 *
 * <p>Rows are in the order of the windows and of the tokens in each window. The order is the same
 * for every model, so two evaluations with equal {@link #targetsSha256()} and length are paired row
 * by row. A target that lies in several windows has a row for each.
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
   * Creates rows. All arrays are copied.
   *
   * @param targets for each target its token offset in the split, at least 0
   * @param positions for each target the number of tokens read before it in its window, at least 1
   * @param nlls for each target its negative log-likelihood in nats, finite
   * @throws IllegalArgumentException if the lengths differ, there are no rows, or a value is
   *     invalid
   */
  public static ScoredTargets of(long[] targets, int[] positions, double[] nlls) {
    Checks.require(targets.length > 0, "targets", "at least one", "none");
    requireCount("position", targets.length, positions.length);
    requireCount("nll", targets.length, nlls.length);
    for (int i = 0; i < targets.length; i++) {
      // There can be millions of rows, so messages are built only for invalid ones.
      if (targets[i] < 0 || positions[i] < 1 || !Double.isFinite(nlls[i])) {
        Checks.atLeast("target " + i, targets[i], 0);
        Checks.atLeast("position of target " + targets[i], positions[i], 1);
        Checks.finite("nll of target " + targets[i], nlls[i]);
      }
    }
    return new ScoredTargets(targets.clone(), positions.clone(), nlls.clone());
  }

  /**
   * Creates rows for windows with one target each, the last token.
   *
   * @param length T_ex: each target has T_ex - 1 tokens before it
   */
  public static ScoredTargets lastTokens(int length, long[] targets, double[] nlls) {
    int[] positions = new int[targets.length];
    Arrays.fill(positions, length - 1);
    return of(targets, positions, nlls);
  }

  private static void requireCount(String key, int expected, int found) {
    Checks.require(expected == found, key, expected + " values", found + " values");
  }

  /** {@return the number of rows, at least 1} */
  public int count() {
    return targets.length;
  }

  /** {@return the token offset of a target in the split} */
  public long target(int index) {
    return targets[index];
  }

  /** {@return the number of tokens before a target in its window, from 1 to T_ex - 1} */
  public int position(int index) {
    return positions[index];
  }

  public int leastPosition() {
    return Arrays.stream(positions).min().orElseThrow();
  }

  public int greatestPosition() {
    return Arrays.stream(positions).max().orElseThrow();
  }

  /** {@return the negative log-likelihood of a target in nats} */
  public double nll(int index) {
    return nlls[index];
  }

  /** {@return the sum of the negative log-likelihoods in nats, added in the order of the rows} */
  public double nllSum() {
    return Arrays.stream(nlls).sum();
  }

  /** {@return exp of the mean NLL} */
  public double perplexity() {
    return Math.exp(nllSum() / count());
  }

  /** {@return the sum of the squares in square nats, added in the order of the rows} */
  public double nllSquareSum() {
    return Arrays.stream(nlls).map(nll -> nll * nll).sum();
  }

  /**
   * {@return the SHA-256 over the target offsets in their order, as little-endian 64-bit integers,
   * in hexadecimal} Evaluations with equal checksum and data scored the same tokens; if their
   * lengths are equal too, the windows are the same.
   */
  public String targetsSha256() {
    return digest(targets);
  }

  static String digest(long[] targets) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(targets.length, Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(targets);
    return Sha256.of(bytes.array());
  }
}
