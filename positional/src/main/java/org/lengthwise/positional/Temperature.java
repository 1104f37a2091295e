package org.lengthwise.positional;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * A factor F of the scores of a query that grows with n, the number of keys that it sees. Without
 * it, a softmax over more keys is flatter.
 *
 * <p>With a = offset, 0 unless stated, and the T_tr of the model:
 *
 * <ul>
 *   <li>ssmax: s<sub>h</sub> ln(a + n), with a learned s for each head of each block (Nakanishi,
 *       "Scalable-Softmax Is Superior for Attention", 2025). First values: 1 / mean of ln(a + n)
 *       over n = 1..T_tr;
 *   <li>log-length: max(1, ln(a + n) / ln(a + T_tr)) (Su, 2021; the maximum as Qwen uses it);
 *   <li>log: ln(a + n) (Chiang and Cholak, "Overcoming a Theoretical Limitation of Self-Attention",
 *       ACL 2022; with a fitted a Puvvada et al., "SWAN-GPT", EMNLP 2025);
 *   <li>floor: 1 + 0.1 ln(floor(n / T_tr) + 1) (the code of Llama 4, Meta, 2025).
 * </ul>
 *
 * @param name the formula
 * @param on what is multiplied
 * @param offset a, at least 0; 0 for floor
 * @param trainLength T_tr; a training run sets it, 0 before
 */
public record Temperature(
    Name name,
    @AbsentMeans("\"products\"") On on,
    @AbsentMeans("0.0") double offset,
    @AbsentMeans("0") @Unit("tokens") int trainLength) {
  private static final double FLOOR_RATE = 0.1;

  public enum Name {
    /** A learned multiple of the logarithm. */
    SSMAX,
    /** The logarithm, divided by the logarithm of T_tr, at least 1. */
    LOG_LENGTH,
    /** The logarithm. */
    LOG,
    /** A logarithm of the multiples of T_tr. */
    FLOOR
  }

  public enum On {
    /** The products of queries and keys. Biases stay. */
    PRODUCTS,
    /** Whole scores, with their biases. */
    SCORES
  }

  public Temperature {
    Checks.atLeast("train_length", trainLength, 0);
    Checks.require(
        name == Name.FLOOR ? offset == 0 : offset >= 0 && Double.isFinite(offset),
        "offset",
        name == Name.FLOOR ? "0, because floor has no offset" : "a finite number of at least 0",
        offset);
  }

  public Temperature(Name name) {
    this(name, On.PRODUCTS, 0, 0);
  }

  Temperature trainedAt(int length) {
    return new Temperature(name, on, offset, length);
  }

  /** {@return whether each head of each block has a learned factor s} */
  public boolean hasScales() {
    return name == Name.SSMAX;
  }

  /** {@return F without s, for n of at least 1} */
  public double factor(long numKeys) {
    int length = Math.max(2, trainLength); // ln 1 has no quotient
    return switch (name) {
      case SSMAX, LOG -> Math.log(offset + numKeys);
      case LOG_LENGTH -> Math.max(1, Math.log(offset + numKeys) / Math.log(offset + length));
      case FLOOR -> 1 + FLOOR_RATE * Math.log(Math.floor((double) numKeys / length) + 1);
    };
  }

  /** The first value of s. */
  double firstScale() {
    int length = Math.max(2, trainLength);
    double sum = 0;
    for (int n = 1; n <= length; n++) {
      sum += factor(n);
    }
    return length / sum;
  }

  String summary() {
    String n = offset == 0 ? "n" : "(" + offset + " + n)";
    String formula =
        switch (name) {
          case SSMAX -> "s ln %s, s learned; Nakanishi 2025";
          case LOG_LENGTH -> "max(1, ln %s / ln T_tr); Su 2021";
          case LOG -> "ln %s; Chiang and Cholak 2022";
          case FLOOR -> "1 + 0.1 ln(floor(%s / T_tr) + 1); Llama 4";
        };
    return "%s times %s, n = keys of the query"
        .formatted(on == On.PRODUCTS ? "q" : "scores", formula.formatted(n));
  }
}
