package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Optional;
import org.lengthwise.config.AbsentMeans;

/**
 * Stick-breaking attention: the newest key takes its share of a weight of 1, and each older key
 * takes a share of what is left. It has no softmax, no positions and no learnable numbers.
 *
 * <p>The share of key n is beta<sub>n</sub> = sigmoid(q k<sub>n</sub> / sqrt(D)), n &lt; m, so its
 * weight is beta<sub>n</sub> times the product of 1 - beta<sub>j</sub> over n &lt; j &lt; m. A
 * query's own key has no share. The remainder is 1 minus all shares.
 *
 * <p>Source: Tan, Yang, Courville, Panda and Shen, "Scaling Stick-Breaking Attention: An Efficient
 * Implementation and In-depth Study", ICLR 2025, whose formula has no remainder.
 *
 * @param remainder what takes the remainder
 */
@JsonTypeName("stick-breaking")
public record StickBreaking(@AbsentMeans("\"self\"") Remainder remainder) implements RowScheme {

  public enum Remainder {
    /** The query's own value, so weights sum to 1. */
    SELF,
    /** Nothing. The first position then attends to nothing. */
    NONE
  }

  @Override
  public Rule rule() {
    return remainder == Remainder.SELF ? Rule.BREAKING_WITH_REMAINDER : Rule.BREAKING;
  }

  @Override
  public String summary() {
    return "weight = beta_n times the product of 1 - beta_j, n < j < m, beta = sigmoid(q k / sqrt(D)), "
        + "remainder to %s; Tan et al. 2025"
            .formatted(remainder == Remainder.SELF ? "the query's own value" : "nothing");
  }

  /** For each head the score and the weight. */
  @Override
  public Cost cost(int heads) {
    return new Cost(0, 2L * heads);
  }

  @Override
  public double[] weights(double[] scores_N) {
    int own = scores_N.length - 1;
    double[] weights_N = new double[scores_N.length];
    double left = 0; // the logarithm of what is left
    for (int n = own - 1; n >= 0; n--) {
      weights_N[n] = Math.exp(left - softplus(-scores_N[n]));
      left -= softplus(scores_N[n]);
    }
    weights_N[own] = remainder == Remainder.SELF ? Math.exp(left) : 0;
    return weights_N;
  }

  /** ln(1 + e<sup>x</sup>), which is -ln sigmoid(-x). */
  static double softplus(double x) {
    return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
  }

  @Override
  public Optional<String> noTemperature() {
    return Optional.of("stick-breaking has no softmax");
  }
}
